// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "binding/launch_check.h"
#include "binding/occupancy_curve.h"
#include "failure.h"
#include "model/occupancy_json.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;
using Json = nlohmann::ordered_json;

SmLimits limits_of(const Session& session, const std::string& gpu, const std::string& cc) {
  if (!gpu.empty()) return value_of(session.database().load(gpu)).limits;
  if (cc.empty()) {
    throw Failure(Diagnostic{"occupancy", "no GPU was named", "gpu= or cc='X.Y'", ""});
  }
  return value_of(session.database().limits(value_of(parse_capability(cc))));
}

std::string occupancy_text(const Session& session, const std::string& gpu, const std::string& cc,
                           const BlockNeeds& needs) {
  const SmLimits limits = limits_of(session, gpu, cc);
  const auto accepted = check_block(limits, needs);
  const std::string refusal = accepted ? "" : accepted.error().line();
  return occupancy_json(limits, occupancy(limits, needs), refusal).dump();
}

std::string curve_text(const Session& session, const std::string& gpu, const std::string& cc,
                       const BlockNeeds& needs, const std::string& axis) {
  const auto along = curve_axis(axis);
  if (!along) throw Failure(Diagnostic{"along", "'" + axis + "'", "block, regs or smem", ""});
  Json points = Json::array();
  for (const CurvePoint& point : occupancy_curve(limits_of(session, gpu, cc), needs, *along)) {
    const Occupancy& found = point.occupancy;
    points.push_back({point.value, found.blocks, found.warps});
  }
  return points.dump();
}

BlockNeeds needs_of(std::uint32_t block, std::uint32_t registers, std::uint32_t static_shared,
                    std::uint32_t dynamic_shared, std::int32_t carveout_percent,
                    std::uint32_t barriers) {
  BlockNeeds needs;
  needs.threads = block;
  needs.registers = registers;
  needs.static_shared = static_shared;
  needs.dynamic_shared = dynamic_shared;
  needs.carveout_percent = carveout_percent;
  needs.barriers = barriers;
  return needs;
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
