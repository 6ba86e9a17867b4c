// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/bsp/bsp_model.h"

#include <array>

#include "model/counted_time.h"

namespace forewarp {
namespace {

enum Option : std::size_t { lambda, instruction, global, l1, l2 };

constexpr std::string_view unscaled = "its lambda is 1: it must come from a measured run";

constexpr std::array<ModelOption, 5> declared{{
    {"lambda", "number", "1", "scaling for what is not counted: estimated over measured time"},
    {"instruction", "number", "1", "cycles of a core for one instruction"},
    {"global", "number", "500", "cycles of an access that device memory serves"},
    {"l1", "number", "5", "cycles of one that L1 or shared memory serves"},
    {"l2", "number", "250", "cycles of one that L2 serves"},
}};

ThreadCost cost_of(const ModelInput& in, const WarpMix& mix, const OptionValues& options) {
  ThreadCounts counts;
  const double shared = in.demand.count(Count::shared_instructions);
  counts.additions = mix.compute - shared;
  counts.loads = mix.memory;
  counts.l1_hits = in.demand.count(Count::l1_requests);
  counts.l2_hits = in.demand.count(Count::l2_requests);
  counts.shared_loads = shared;
  ThreadCycles cycles;
  cycles.addition = options[instruction];
  cycles.global = options[global];
  cycles.l1 = cycles.shared = options[l1];
  cycles.l2 = options[l2];
  return thread_cost(counts, cycles);
}

}  // namespace

std::span<const ModelOption> BspModel::options() const {
  return declared;
}

MixTime BspModel::time(const ModelInput& input, const WarpMix& mix,
                       const OptionValues& options) const {
  const double lanes = input.launch.threads_per_block / input.launch.warps_per_block;
  MixTime time = mix_time(lanes * cost_of(input, mix, options).all() /
                          (input.gpu.core_lanes * options[lambda]));
  time.applies = options[lambda] != 1;
  if (!time.applies) time.why = unscaled;
  return time;
}

std::vector<ModelNumber> BspModel::figures(const ModelInput& input, const WarpMix& mix,
                                           const OptionValues& options) const {
  const ThreadCost cost = cost_of(input, mix, options);
  return {{"computation_cycles", cost.arithmetic, true},
          {"global_cycles", cost.global, true},
          {"shared_cycles", cost.shared, true}};
}

}  // namespace forewarp
