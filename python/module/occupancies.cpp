// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

std::string occupancy_text(const PythonSession& session, const std::string& gpu,
                           const std::string& cc, const BlockNeeds& needs) {
  return value_of(session.session().occupancy_json(gpu, cc, needs));
}

std::string curve_text(const PythonSession& session, const std::string& gpu, const std::string& cc,
                       const BlockNeeds& needs, const std::string& along) {
  std::string rows;
  for (const OccupancyPoint& point :
       value_of(session.session().occupancy_curve(gpu, cc, needs, along))) {
    rows += (rows.empty() ? "[" : ",[") + std::to_string(point.value) + "," +
            std::to_string(point.blocks) + "," + std::to_string(point.warps) + "]";
  }
  return "[" + rows + "]";
}

BlockNeeds needs_of(std::uint32_t block, std::uint32_t registers, std::uint32_t static_shared,
                    std::uint32_t dynamic_shared, std::int32_t carveout_percent,
                    std::uint32_t barriers) {
  return {block, registers, static_shared, dynamic_shared, carveout_percent, barriers};
}

}  // namespace

void add_occupancy(SessionClass& session) {
  py::class_<BlockNeeds>(session, "BlockNeeds")
      .def(py::init(&needs_of), py::arg("block"), py::arg("regs"), py::arg("static_smem"),
           py::arg("smem"), py::arg("carveout"), py::arg("barriers"));
  session
      .def("occupancy", &occupancy_text, py::arg("gpu"), py::arg("cc"), py::arg("needs"),
           ReleaseLock())
      .def("occupancy_curve", &curve_text, py::arg("gpu"), py::arg("cc"), py::arg("needs"),
           py::arg("along"), ReleaseLock());
}

}  // namespace forewarp::python
