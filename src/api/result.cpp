// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/result.h>

#include "api/errors.h"
#include "api/state.h"
#include "result/result_json.h"

namespace forewarp::api {

std::optional<Error> Result::error() const {
  const std::optional<base::Diagnostic>& why = state_->result.error;
  if (!why) return std::nullopt;
  return error_of(*why);
}
double Result::time_ms() const {
  return state_->result.time_ms;
}
std::array<double, 2> Result::interval_ms() const {
  return state_->result.interval_ms;
}
std::string Result::interval_meaning() const {
  return state_->result.interval_meaning;
}
std::string Result::model() const {
  return state_->result.model;
}
std::string Result::limited_by() const {
  return state_->result.limited_by.resource;
}
std::string Result::limited_by_sentence() const {
  return state_->result.limited_by.sentence;
}
std::string Result::kernel() const {
  return state_->result.kernel.name;
}
std::string Result::gpu() const {
  return state_->result.gpu.id;
}
double Result::clock_mhz() const {
  return state_->result.gpu.clock_mhz;
}
std::uint32_t Result::blocks_per_sm() const {
  return state_->result.occupancy.blocks_per_sm;
}
std::uint32_t Result::warps_per_sm() const {
  return state_->result.occupancy.warps_per_sm;
}
double Result::needed_warps() const {
  return state_->result.occupancy.needed_warps;
}
double Result::waves() const {
  return state_->result.occupancy.waves;
}
double Result::latency_cycles() const {
  return state_->result.latency.cycles;
}
double Result::warp_instructions() const {
  return state_->result.profile.warp_instructions;
}
double Result::dram_bytes() const {
  return state_->result.profile.dram_read_bytes + state_->result.profile.dram_write_bytes;
}

std::vector<Bound> Result::bounds() const {
  std::vector<Bound> all;
  for (const result::Result::Bound& one : state_->result.bounds) {
    all.push_back({one.resource, one.label, one.cycles_per_warp, one.time_ms, one.share});
  }
  return all;
}

std::vector<Assumption> Result::assumptions() const {
  std::vector<Assumption> all;
  for (const result::Result::Assumption& one : state_->result.assumptions) {
    all.push_back({one.id, one.text, one.change_with});
  }
  return all;
}

std::vector<Finding> Result::findings() const {
  std::vector<Finding> all;
  for (const result::Result::Finding& one : state_->result.findings) {
    all.push_back({one.kind, one.text});
  }
  return all;
}

std::vector<WhatIf> Result::what_ifs() const {
  std::vector<WhatIf> all;
  for (const result::Result::Counterfactual& one : state_->result.counterfactuals) {
    all.push_back({one.free, one.label, one.time_ms, one.ratio});
  }
  return all;
}

std::string Result::json(bool listing) const {
  return result::to_json(state_->result,
                         listing ? result::JsonStyle::compact() : result::JsonStyle::lean());
}

Result Comparison::a() const {
  return Access::result(state_->comparison.a);
}
Result Comparison::b() const {
  return Access::result(state_->comparison.b);
}
double Comparison::ratio() const {
  return state_->comparison.ratio;
}
std::string Comparison::answer() const {
  return state_->comparison.answer;
}

std::vector<Factor> Comparison::factors() const {
  std::vector<Factor> all;
  for (const result::TimeFactor& one : state_->comparison.factors) {
    all.push_back({one.id, one.label, one.factor});
  }
  return all;
}

std::vector<std::string> Comparison::reasons() const {
  return state_->comparison.reasons;
}

std::string Comparison::json() const {
  result::Comparisons one;
  one.pairs.push_back(state_->comparison);
  return result::to_json(one);
}

}  // namespace forewarp::api
