// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/counting/counting_model.h"

#include <algorithm>
#include <array>

#include "model/counted_time.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { weight, fused, addition, multiplication, division, global, l1, l2 };

constexpr std::string_view unweighted =
    "its adjusting weight is 1: it must come from a measured run";

constexpr std::array<ModelOption, 8> declared{{
    {"weight", "number", "1", "adjusting weight: estimated over measured time of another run",
     scaling_range},
    {"fused", "number", "0", "cycles of a multiply-add; 0: model.counting.fused_cycles",
     cycles_range},
    {"addition", "number", "0", "cycles of an addition; 0: model.counting.addition_cycles",
     cycles_range},
    {"multiplication", "number", "0",
     "cycles of a multiplication; 0: model.counting.multiplication_cycles", cycles_range},
    {"division", "number", "0", "cycles of a division; 0: model.counting.division_cycles",
     cycles_range},
    {"global", "number", "0",
     "cycles of an access that device memory serves; 0: model.counting.global_cycles",
     cycles_range},
    {"l1", "number", "0",
     "cycles of one that L1 or shared memory serves; 0: model.counting.l1_cycles", cycles_range},
    {"l2", "number", "0", "cycles of one that L2 serves; 0: model.counting.l2_cycles",
     cycles_range},
}};

ThreadCounts counts_of(const Demand& demand, const WarpMix& mix) {
  ThreadCounts counts;
  counts.fused = demand.count(Count::fused);
  counts.additions = demand.count(Count::additions);
  counts.multiplications = demand.count(Count::multiplications);
  counts.divisions = demand.count(Count::divisions);
  counts.stores = std::min(mix.memory, demand.count(Count::store_requests));
  counts.loads = mix.memory - counts.stores;
  counts.l1_hits = demand.count(Count::l1_requests);
  counts.l2_hits = demand.count(Count::l2_requests);
  counts.shared_loads = demand.count(Count::shared_instructions);
  return counts;
}

ThreadCost cost_of(const ModelInput& in, const WarpMix& mix, const OptionValues& options) {
  const auto cycles = [&](Option option, std::string_view fact) {
    return options[option] > 0 ? options[option] : in.gpu.number(fact);
  };
  const double near = cycles(l1, "model.counting.l1_cycles");
  return thread_cost(counts_of(in.demand, mix),
                     {cycles(fused, "model.counting.fused_cycles"),
                      cycles(addition, "model.counting.addition_cycles"),
                      cycles(multiplication, "model.counting.multiplication_cycles"),
                      cycles(division, "model.counting.division_cycles"),
                      cycles(global, "model.counting.global_cycles"), near,
                      cycles(l2, "model.counting.l2_cycles"), near});
}

}  // namespace

std::span<const ModelOption> CountingModel::options() const {
  return declared;
}

/// All threads run one after the other, so a warp takes an SM for its lanes times the active SMs.
MixTime CountingModel::time(const ModelInput& input, const WarpMix& mix,
                            const OptionValues& options) const {
  const double occupancy = mix.warps / input.gpu.limits.warps_per_sm;
  const double lanes = input.launch.threads_per_block / input.launch.warps_per_block;
  MixTime time = mix_time(lanes * mix.active_sms * cost_of(input, mix, options).all() /
                          (occupancy * options[weight]));
  time.applies = options[weight] != 1;
  if (!time.applies) time.why = unweighted;
  return time;
}

std::vector<ModelNumber> CountingModel::figures(const ModelInput& input, const WarpMix& mix,
                                                const OptionValues& options) const {
  const ThreadCost cost = cost_of(input, mix, options);
  return {{"arithmetic_cycles", cost.arithmetic, true},
          {"global_cycles", cost.global, true},
          {"shared_cycles", cost.shared, true},
          {"occupancy", mix.warps / input.gpu.limits.warps_per_sm}};
}

}  // namespace forewarp::model
