// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/uneven.h"

#include <algorithm>
#include <cmath>

#include "execution/grid/warp_trace.h"
#include "hardware/gpu.h"
#include "model/device_memory.h"
#include "model/uneven_blocks.h"
#include "prediction/execution.h"

namespace forewarp::prediction {
namespace {

constexpr double about_alike = 1.05;  // the longest over the mean: nothing to spread
constexpr SharingPower usual_power = 2;
// Times the typical block's longest warp: up to that, a block alone takes time in proportion. Where
// the time of a far longer one is known, blocks between take time between.
constexpr double in_proportion = 4;
constexpr double most_costs = 8192;  // of blocks that are followed; beyond, of a part of the board
                                     // and of what an SM gets, in which a single block is little

/// What one block takes, and what all need of what all SMs share.
struct BlockNeeds {
  BlockCost typical;
  Cycles shared;  ///< of the launch
};

BlockNeeds needs_of(const ModelInput& input) {
  const LaunchShape& launch = input.launch;
  double own = 0, shared = 0;
  const auto cycles = input.demand.cycles();
  for (std::size_t r = 0; r < cycles.size() && r < input.resources.size(); ++r) {
    double& most = input.resources[r].scope == ResourceScope::chip ? shared : own;
    most = std::max(most, cycles[r]);
  }
  shared = std::max(shared,
                    device_memory(input.gpu, input.demand, launch.clock).cycles_per_warp.value());
  const double alone = std::max(input.latency.cycles, input.latency.block_cycles);
  return {{Cycles(own * launch.warps_per_block), Cycles(alone + input.gpu.block_turnaround)},
          Cycles(shared * launch.warps_per_block * launch.blocks / input.gpu.sms)};
}

/// What a block with a longest warp of so many instructions, over the typical one's, takes alone.
Cycles alone_with(double longest, const UnevenBlocks& uneven, Cycles typical, Cycles traced) {
  const bool between = uneven.traced_longest > in_proportion && traced > typical && longest > 1;
  if (!between) return longest * typical;
  return typical + (longest - 1) / (uneven.traced_longest - 1) * (traced - typical);
}

/// Blocks in their order, one for each `every` of the grid.
std::vector<BlockCost> costs_of(const UnevenBlocks& uneven, const BlockCost& typical, Cycles traced,
                                double every) {
  std::vector<BlockCost> costs;
  double waiting = 0;
  for (const UnevenBlocks::Part& part : uneven.parts) {
    const Cycles alone = alone_with(part.longest, uneven, typical.alone, traced);
    waiting += part.blocks;
    const double now = std::floor(waiting / every);
    waiting -= now * every;
    costs.insert(costs.end(), static_cast<std::size_t>(now), {part.all * typical.busy, alone});
  }
  return costs;
}

std::uint64_t longest_warp(const std::vector<WarpTrace>& warps) {
  std::uint64_t most = 0;
  for (const WarpTrace& warp : warps) most = std::max(most, warp.instructions);
  return most;
}

}  // namespace

std::shared_ptr<const UnevenBlocks> uneven_blocks(const Launch& launch, const Trace& trace) {
  if (!trace.profile || trace.executed_share < 1 || volume(launch.config.cluster) > 1) return {};
  const PathProfile& paths = trace.profile->executed.paths;
  const auto all = static_cast<double>(instructions_of(trace.profile->typical));
  const auto longest = static_cast<double>(longest_warp(trace.profile->typical));
  // With an SM for each block, the longest one is what the models are asked for.
  const bool alone = trace.working_blocks() <= launch.gpu->sms;
  if (paths.loads.empty() || paths.ordered || alone || !(longest > 0)) return {};
  auto made = std::make_shared<UnevenBlocks>();
  const LongBlocks& long_ones = trace.profile->longest;
  made->traced_longest = long_ones.unseen_beyond(long_ones.unseen.expected) *
                         static_cast<double>(longest_warp(long_ones.warps)) / longest;
  // A few that are far longer do not share an SM's time for long: the launch waits for them.
  const bool few = long_ones.blocks <= launch.gpu->sms;
  const bool known = made->traced_longest > in_proportion;
  double most = 0, sum = 0, blocks = 0, told = 0;
  for (const BlockLoad& load : paths.loads) {
    const auto count = static_cast<double>(load.blocks);
    told += count;
    const bool far_longer = load.longest > in_proportion * longest;
    if (far_longer && few) continue;
    if (far_longer && !known) return {};
    made->parts.push_back({count, load.all / all, load.longest / longest});
    most = std::max(most, load.all);
    sum += load.all * count;
    blocks += count;
  }
  if (most * blocks <= about_alike * sum) return {};
  if (told < static_cast<double>(launch.config.blocks())) return {};  // a sample of the grid
  return made;
}

void spread_unevenly(const UnevenBlocks& uneven, const ModelInput& input, Prediction& prediction) {
  const LaunchShape& launch = input.launch;
  const bool takes_time = prediction.time_ms > to_milliseconds(launch.added).value();
  if (!prediction.applies || !takes_time || !std::isfinite(prediction.time_ms)) return;
  const BlockNeeds needs = needs_of(input);
  const Cycles each = needs.typical.busy + needs.typical.alone;
  if (!(each > Cycles(0)) || !std::isfinite(each.value())) return;
  double blocks = 0;
  for (const UnevenBlocks::Part& part : uneven.parts) blocks += part.blocks;
  // Of a large grid on many SMs as much as some of them get, or a part of what one gets.
  const double sms = input.gpu.sms;
  const double followed = std::max(1.0, std::floor(sms * std::min(1.0, most_costs / blocks)));
  const double every = std::max(sms / followed, blocks / most_costs);
  const double part = sms / followed / every;
  const BlockPlaces places{static_cast<std::uint32_t>(followed),
                           static_cast<std::uint32_t>(std::max(1.0, launch.blocks_per_sm))};
  const double count = launch.blocks / every;
  const double added = to_milliseconds(launch.added).value();
  const Cycles even =
      part * cycles_in(Milliseconds(std::max(0.0, prediction.time_ms - added)), launch.clock);
  const bool decided_elsewhere =
      part * needs.shared > time_of_equal_blocks(count, needs.typical, places, usual_power);
  const SharingPower power =
      decided_elsewhere ? usual_power : power_of(even, count, needs.typical, places);
  const Cycles alike = time_of_equal_blocks(count, needs.typical, places, power);
  const Cycles all =
      time_of_blocks(costs_of(uneven, needs.typical, launch.longest_block, every), places, power);
  // Below 1 where the typical block has longer warps for its work than the others.
  const double ratio = decided_elsewhere ? std::max(1.0, all / even) : all / alike;
  const double before = prediction.time_ms;
  prediction.time_ms = added + (before - added) * ratio;
  prediction.low_ms *= prediction.time_ms / before;
  prediction.high_ms *= prediction.time_ms / before;
  prediction.memory_gbs *= before / prediction.time_ms;
  prediction.warp_throughput /= ratio;
}

}  // namespace forewarp::prediction
