// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "failure.h"
#include "model/rates/rate_conversion.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;
using Json = nlohmann::ordered_json;

Json summary(const Gpu& gpu) {
  return {{"id", gpu.id},
          {"name", gpu.name},
          {"chip", gpu.chip},
          {"cc", gpu.cc.text()},
          {"sms", gpu.sms},
          {"cores_per_sm", gpu.core_lanes},
          {"clock_base_mhz", gpu.clock_base_mhz},
          {"clock_boost_mhz", gpu.clock_boost_mhz},
          {"clock_sustained_mhz", gpu.clock_sustained_mhz},
          {"memory_bytes", gpu.memory.bytes},
          {"memory_gbs", gpu.memory.theory_gbs},
          {"memory_reached_gbs", gpu.memory.theory_gbs * gpu.memory.read_share},
          {"l2_bytes", gpu.l2.bytes},
          {"warp_lanes", gpu.limits.warp_lanes},
          {"max_warps_per_sm", gpu.limits.warps_per_sm},
          {"max_threads_per_block", gpu.limits.threads_per_block}};
}

Json fact_json(const Fact& fact) {
  Json json;
  if (!fact.text.empty()) {
    json["value"] = fact.text;
  } else if (!fact.values.empty()) {
    json["value"] = fact.values;
  } else {
    json["value"] = fact.value;
  }
  json["unit"] = fact.unit;
  json["source"] = fact.source;
  json["confidence"] = confidence_name(fact.confidence);
  return json;
}

std::string gpu_json(Session& session, const std::string& name, const OptionTexts& options) {
  const Asked asked = asked_of("", options);
  const auto gpu = value_of(session.predictor().gpu(name, asked.options));
  Json json = summary(*gpu);
  Json facts = Json::object();
  for (const auto& [path, fact] : gpu->facts) facts[path] = fact_json(fact);
  json["facts"] = std::move(facts);
  return json.dump();
}

std::string gpus_json(Session& session) {
  Json rows = Json::array();
  for (const std::string& id : session.database().ids()) {
    rows.push_back(summary(value_of(session.database().load(id))));
  }
  return rows.dump();
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
