// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mix_model.h"

#include <cmath>

#include "base/quantities.h"

namespace forewarp::model {
namespace {

constexpr double near_a_bound = 1e-9;
constexpr std::string_view no_time = "its formula gives no positive time here";

enum Bound : std::size_t { pipe, issue, memory, bound_kinds };

}  // namespace

std::vector<ResourceInfo> MixModel::bounds(std::span<const ResourceInfo> resources) const {
  (void)resources;
  return {{"pipe", "functional units"},
          ResourceInfo(ResourceRole::issue),
          ResourceInfo(ResourceRole::device_memory)};
}

Prediction MixModel::predict(const ModelInput& input, const OptionValues& options) const {
  const WarpMix mix = warp_mix(input);
  const MixTime time = this->time(input, mix, options);
  Prediction p;
  p.bound_count = bound_kinds;
  p.bound_cycles[pipe] = mix.pipe_cycles;
  p.bound_cycles[issue] = mix.issue_cycles;
  p.bound_cycles[memory] = mix.sustained_cycles;
  p.latency_cycles = mix.latency();
  p.resident_warps = mix.warps;
  p.needed_warps = time.needed_warps;
  const double bound = mix.bound_cycles();
  p.throughput_bound = bound > 0 ? 1 / bound : 0;
  p.warp_throughput = 1 / time.cycles;
  const double launched = input.launch.blocks * input.launch.warps_per_block;
  const Milliseconds each = time_of(Cycles(launched), mix.active_sms * input.launch.clock);
  const Milliseconds added = to_milliseconds(input.launch.added);
  const auto ms = [&](double cycles) { return (cycles * each + added).value(); };
  p.time_ms = ms(time.cycles);
  p.low_ms = time.low > 0 ? ms(time.low) : p.time_ms;
  p.high_ms = time.high > 0 ? ms(time.high) : p.time_ms;
  p.waves = waves_of(input, input.launch.blocks_per_sm);
  const Bytes moved(launched * input.demand.count(Count::global_bytes));
  p.memory_gbs = (moved / Milliseconds(p.time_ms)).value();
  p.applies = time.applies;
  p.why = time.why;
  if (!std::isfinite(time.cycles) || time.cycles <= 0) {
    p.applies = false;
    p.why = no_time;
  }
  if (time.cycles <= bound * (1 + near_a_bound)) {
    for (std::size_t b = 0; b < bound_kinds; ++b) {
      if (p.bound_cycles[b] >= bound) p.limiting = static_cast<std::int16_t>(b);
    }
  }
  return p;
}

std::vector<ModelNumber> MixModel::numbers(const ModelInput& input, const OptionValues& options,
                                           const Prediction& prediction) const {
  const WarpMix mix = warp_mix(input);
  std::vector<ModelNumber> all{{"cycles_per_warp", 1 / prediction.warp_throughput, true}};
  for (const ModelNumber& own : figures(input, mix, options)) all.push_back(own);
  return all;
}

std::vector<StackPart> MixModel::stack(const ModelInput& input, const OptionValues& options,
                                       const Prediction& prediction) const {
  if (!prediction.applies) return {};
  return parts(warp_mix(input), options, prediction);
}

std::vector<std::pair<std::string, double>> MixModel::formula(const WarpMix& mix,
                                                              const OptionValues& options) const {
  const Gpu none;
  const Demand nothing;
  const ModelInput input{none, {}, nothing, {}, {}, 0};
  const MixTime found = time(input, mix, options);
  std::vector<std::pair<std::string, double>> values{{"cycles", found.cycles},
                                                     {"needed_warps", found.needed_warps}};
  for (const ModelNumber& own : figures(input, mix, options)) {
    if (own.name != "needed_warps") values.emplace_back(own.name, own.value);
  }
  return values;
}

std::vector<ModelNumber> MixModel::figures(const ModelInput& input, const WarpMix& mix,
                                           const OptionValues& options) const {
  (void)input;
  (void)mix;
  (void)options;
  return {};
}

std::vector<StackPart> MixModel::parts(const WarpMix& mix, const OptionValues& options,
                                       const Prediction& prediction) const {
  (void)mix;
  (void)options;
  (void)prediction;
  return {};
}

std::string_view MixModel::beyond_mix(const OptionValues& options) const {
  (void)options;
  return {};
}

}  // namespace forewarp::model
