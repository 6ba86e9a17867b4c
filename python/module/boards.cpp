// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

/// The changes of the option set that are the board's own, hw.PATH=VALUE; those of a link are not.
std::vector<FactChange> changes_of(const OptionTexts& options) {
  constexpr std::string_view prefix = "hw.";
  std::vector<FactChange> changes;
  for (const auto& [name, text] : launch_of(options).options()) {
    if (name != "set" || !text.starts_with(prefix)) continue;
    const std::size_t equals = text.find('=');
    changes.push_back(
        {text.substr(prefix.size(), equals - prefix.size()), text.substr(equals + 1)});
  }
  return changes;
}

std::string gpu_json(PythonSession& session, const std::string& name, const OptionTexts& options) {
  return value_of(session.session().gpu(name, changes_of(options))).json();
}

std::string gpus_json(PythonSession& session) {
  std::string rows;
  for (const std::string& id : session.session().gpu_ids()) {
    rows += (rows.empty() ? "" : ",") + value_of(session.session().gpu(id)).json(false);
  }
  return "[" + rows + "]";
}

py::dict converted(const PythonSession& session, double value, const std::string& unit,
                   const std::string& gpu, double clock_mhz, double bytes, double instructions) {
  py::dict rates;
  const Gpu board = value_of(session.session().gpu(gpu));
  for (const Rate& rate : value_of(board.rates(value, unit, clock_mhz, bytes, instructions))) {
    rates[rate.unit.c_str()] = rate.value;
  }
  return rates;
}

}  // namespace

void add_boards(SessionClass& session) {
  session.def("gpu", &gpu_json, py::arg("name"), py::arg("options") = OptionTexts{}, ReleaseLock())
      .def("gpus", &gpus_json, ReleaseLock())
      .def("convert", &converted, py::arg("value"), py::arg("unit"), py::arg("gpu"),
           py::arg("clock_mhz"), py::arg("bytes"), py::arg("instructions"));
}

}  // namespace forewarp::python
