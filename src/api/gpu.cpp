// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/gpu.h>

#include <nlohmann/json.hpp>

#include "api/state.h"
#include "model/rates/rate_conversion.h"
#include "request/argument_text.h"

namespace forewarp::api {
namespace {

using Json = nlohmann::ordered_json;

Fact fact_of(const std::string& path, const hardware::Fact& from) {
  return {path,
          from.value,
          from.values,
          from.text,
          from.unit,
          from.source,
          std::string(hardware::confidence_name(from.confidence))};
}

Json fact_json(const hardware::Fact& fact) {
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
  json["confidence"] = hardware::confidence_name(fact.confidence);
  return json;
}

}  // namespace

std::string Gpu::id() const {
  return state_->gpu->id;
}
std::string Gpu::name() const {
  return state_->gpu->name;
}
std::string Gpu::chip() const {
  return state_->gpu->chip;
}
std::string Gpu::compute_capability() const {
  return state_->gpu->cc.text();
}
std::uint32_t Gpu::sm() const {
  return static_cast<std::uint32_t>(state_->gpu->cc.sm());
}
std::string Gpu::asked_as() const {
  return state_->asked;
}
std::uint32_t Gpu::sms() const {
  return state_->gpu->sms;
}
double Gpu::core_lanes() const {
  return state_->gpu->core_lanes;
}
double Gpu::base_mhz() const {
  return state_->gpu->clock_base_mhz;
}
double Gpu::boost_mhz() const {
  return state_->gpu->clock_boost_mhz;
}
double Gpu::sustained_mhz() const {
  return state_->gpu->clock_sustained_mhz;
}
double Gpu::memory_bytes() const {
  return state_->gpu->memory.bytes;
}
double Gpu::memory_gbs() const {
  return state_->gpu->memory.theory_gbs;
}
double Gpu::memory_reached_gbs() const {
  return state_->gpu->memory.theory_gbs * state_->gpu->memory.read_share;
}
double Gpu::l2_bytes() const {
  return state_->gpu->l2.bytes;
}
std::uint32_t Gpu::warp_lanes() const {
  return state_->gpu->limits.warp_lanes;
}
std::uint32_t Gpu::max_warps_per_sm() const {
  return state_->gpu->limits.warps_per_sm;
}
std::uint32_t Gpu::max_threads_per_block() const {
  return state_->gpu->limits.threads_per_block;
}
double Gpu::host_launch_us() const {
  return state_->gpu->host_us;
}
double Gpu::stream_launch_us() const {
  return state_->gpu->stream_us;
}
double Gpu::graph_launch_us() const {
  return state_->gpu->graph_us;
}

std::vector<Fact> Gpu::facts() const {
  std::vector<Fact> facts;
  for (const auto& [path, fact] : state_->gpu->facts) facts.push_back(fact_of(path, fact));
  return facts;
}

Expected<Fact> Gpu::fact(std::string_view path) const {
  const auto found = state_->gpu->facts.find(path);
  if (found != state_->gpu->facts.end()) return fact_of(found->first, found->second);
  return Error{"GPU '" + id() + "'", "has no fact '" + std::string(path) + "'", "",
               "docs/data.md has all"};
}

Expected<Gpu> Gpu::with(std::string_view path, std::string_view value) const {
  return guarded([&]() -> Expected<Gpu> {
    request::PredictOptions options;
    for (const FactChange& change : state_->changes) {
      options.overrides.push_back({change.path, change.value});
    }
    options.overrides.push_back({std::string(path), std::string(value)});
    return gpu_with(state_->session, state_->asked, std::move(options));
  });
}

Expected<Gpu> Gpu::with(std::string_view path, double value) const {
  return with(path, request::exact_text(value));
}

const std::vector<FactChange>& Gpu::changes() const {
  return state_->changes;
}

Expected<std::vector<Rate>> Gpu::rates(double value, std::string_view unit, double clock_mhz,
                                       double bytes, double instructions) const {
  return guarded([&]() -> Expected<std::vector<Rate>> {
    const auto from = model::rate_unit_named(unit);
    if (!from) {
      std::string known;
      for (std::size_t i = 0; i < model::rate_units; ++i) {
        known += (i == 0 ? "" : ", ") +
                 std::string(model::rate_unit_name(static_cast<model::RateUnit>(i)));
      }
      return Error{"convert", "the unit '" + std::string(unit) + "'", known, ""};
    }
    const auto converted = model::convert_rate(
        value, *from, model::rate_basis(*state_->gpu, clock_mhz, bytes, instructions));
    if (!converted) return error_of(converted.error());
    std::vector<Rate> rates;
    for (const model::ConvertedRate& one : *converted) {
      rates.push_back({std::string(model::rate_unit_name(one.unit)), one.value, one.formula});
    }
    return rates;
  });
}

std::string Gpu::json(bool with_facts) const {
  Json json{{"id", id()},
            {"name", name()},
            {"chip", chip()},
            {"cc", compute_capability()},
            {"sms", sms()},
            {"cores_per_sm", core_lanes()},
            {"clock_base_mhz", base_mhz()},
            {"clock_boost_mhz", boost_mhz()},
            {"clock_sustained_mhz", sustained_mhz()},
            {"memory_bytes", memory_bytes()},
            {"memory_gbs", memory_gbs()},
            {"memory_reached_gbs", memory_reached_gbs()},
            {"l2_bytes", l2_bytes()},
            {"warp_lanes", warp_lanes()},
            {"max_warps_per_sm", max_warps_per_sm()},
            {"max_threads_per_block", max_threads_per_block()}};
  Json facts = Json::object();
  for (const auto& [path, fact] : state_->gpu->facts) facts[path] = fact_json(fact);
  if (with_facts) json["facts"] = std::move(facts);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace forewarp::api
