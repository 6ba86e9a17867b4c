// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/bsp/bsp_model.h"

#include <array>

#include "model/counted_time.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { lambda, instruction, global, l1, l2 };

constexpr std::string_view unscaled = "its lambda is 1: it must come from a measured run";

constexpr std::array<ModelOption, 5> declared{{
    {"lambda", "number", "1", "scaling for what is not counted: estimated over measured time",
     scaling_range},
    {"instruction", "number", "0",
     "cycles of a core for one instruction; 0: model.bsp.instruction_cycles", cycles_range},
    {"global", "number", "0",
     "cycles of an access that device memory serves; 0: model.bsp.global_cycles", cycles_range},
    {"l1", "number", "0", "cycles of one that L1 or shared memory serves; 0: model.bsp.l1_cycles",
     cycles_range},
    {"l2", "number", "0", "cycles of one that L2 serves; 0: model.bsp.l2_cycles", cycles_range},
}};

ThreadCost cost_of(const ModelInput& in, const WarpMix& mix, const OptionValues& options) {
  ThreadCounts counts;
  const double shared = in.demand.count(Count::shared_instructions);
  counts.additions = mix.compute - shared;
  counts.loads = mix.memory;
  counts.l1_hits = in.demand.count(Count::l1_requests);
  counts.l2_hits = in.demand.count(Count::l2_requests);
  counts.shared_loads = shared;
  const auto given_or_known = [&](Option option, std::string_view fact) {
    return options[option] > 0 ? options[option] : in.gpu.number(fact);
  };
  ThreadCycles cycles;
  cycles.addition = given_or_known(instruction, "model.bsp.instruction_cycles");
  cycles.global = given_or_known(global, "model.bsp.global_cycles");
  cycles.l1 = cycles.shared = given_or_known(l1, "model.bsp.l1_cycles");
  cycles.l2 = given_or_known(l2, "model.bsp.l2_cycles");
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

}  // namespace forewarp::model
