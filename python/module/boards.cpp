// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "failure.h"
#include "model/rates/rate_conversion.h"
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

std::string convert_json(const Session& session, double value, const std::string& unit,
                         const std::string& gpu, double clock_mhz, double bytes,
                         double instructions) {
  const auto from = rate_unit_named(unit);
  if (!from) {
    std::string known;
    for (std::size_t i = 0; i < rate_units; ++i) {
      known += (i == 0 ? "" : ", ") + std::string(rate_unit_name(static_cast<RateUnit>(i)));
    }
    throw Failure(Diagnostic{"convert", "the unit '" + unit + "'", known, ""});
  }
  const Gpu board = value_of(session.database().load(gpu));
  const RateBasis basis = rate_basis(board, clock_mhz, bytes, instructions);
  Json rates = Json::object();
  for (const ConvertedRate& rate : value_of(convert_rate(value, *from, basis))) {
    rates[std::string(rate_unit_name(rate.unit))] = rate.value;
  }
  return rates.dump();
}

}  // namespace

void add_boards(SessionClass& session) {
  session.def("gpu", &gpu_json, py::arg("name"), py::arg("options") = OptionTexts{}, ReleaseLock())
      .def("gpus", &gpus_json, ReleaseLock())
      .def("convert", &convert_json, py::arg("value"), py::arg("unit"), py::arg("gpu"),
           py::arg("clock_mhz"), py::arg("bytes"), py::arg("instructions"), ReleaseLock());
}

}  // namespace forewarp::python
