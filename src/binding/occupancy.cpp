// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace forewarp::binding {
namespace {

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return unit > 1 ? divide_up(value, unit) * unit : value;
}

constexpr std::uint32_t narrow(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, unlimited));
}

/// Rounds the block as a whole, after rounding its warps (capability 1.x).
std::uint32_t fit_by_block(const SmLimits& limits, std::uint64_t warps, std::uint64_t registers) {
  const std::uint64_t charged = round_up(
      round_up(warps, limits.warp_unit) * limits.warp_lanes * registers, limits.register_unit);
  return narrow(limits.registers_per_sm / charged);
}

/// Rounds each warp; a warp is allocated in one of `partitions` equal register files.
std::uint32_t fit_by_warp(const SmLimits& limits, std::uint64_t warps, std::uint64_t per_warp,
                          std::uint64_t partitions) {
  const std::uint64_t warps_resident =
      partitions * (limits.registers_per_sm / partitions / per_warp);
  return narrow(warps_resident / warps);
}

std::uint64_t registers_per_warp(const SmLimits& limits, std::uint64_t registers) {
  return round_up(limits.warp_lanes * registers, limits.register_unit);
}

std::uint32_t register_limit(const SmLimits& limits, const BlockNeeds& needs, std::uint32_t warps) {
  if (needs.registers > limits.registers_per_thread) return 0;
  if (needs.registers == 0) return unlimited;
  if (limits.register_unit_per_block) return fit_by_block(limits, warps, needs.registers);
  if (registers_at_launch(limits, needs) > limits.registers_per_block) return 0;
  return fit_by_warp(limits, warps, registers_per_warp(limits, needs.registers), limits.partitions);
}

/// Boards without opt-in choose the split by a cache preference, which ignores percentages.
std::uint32_t preferred_carveout(const SmLimits& limits, std::int32_t percent) {
  const bool selectable = limits.shared_per_block_optin > limits.shared_per_block;
  if (percent < 0 || !selectable) return limits.shared_per_sm;
  const std::uint64_t wanted = std::uint64_t{limits.shared_per_sm} *
                               static_cast<std::uint64_t>(std::min(percent, 100)) / 100;
  for (const std::uint32_t option : limits.carveouts) {
    if (option >= wanted) return option;
  }
  return limits.shared_per_sm;
}

/// A carve-out too small for one block is raised to the smallest that holds it.
std::uint32_t carveout_for(const SmLimits& limits, std::int32_t percent, std::uint32_t block) {
  const std::uint32_t preferred = preferred_carveout(limits, percent);
  if (preferred >= block) return preferred;
  for (const std::uint32_t option : limits.carveouts) {
    if (option >= block) return option;
  }
  return limits.shared_per_sm;
}

void limit_shared(const SmLimits& limits, const BlockNeeds& needs, Occupancy& result) {
  const std::uint64_t used =
      std::uint64_t{needs.static_shared} + needs.dynamic_shared + limits.shared_reserved;
  result.shared_charged = narrow(round_up(used, limits.shared_unit));
  result.by_shared = unlimited;
  result.shared_carveout = preferred_carveout(limits, needs.carveout_percent);
  if (result.shared_charged == 0) return;
  if (result.shared_charged > shared_limit(limits, needs) + limits.shared_reserved) {
    result.by_shared = 0;
    return;
  }
  result.shared_carveout = carveout_for(limits, needs.carveout_percent, result.shared_charged);
  result.by_shared = result.shared_carveout / result.shared_charged;
}

void take_minimum(Occupancy& result) {
  result.blocks = std::min({result.by_warps, result.by_registers, result.by_shared,
                            result.by_blocks, result.by_barriers});
  result.warps = result.blocks * result.warps_per_block;
  const auto mark = [&result](std::uint32_t limit, Limiter name) {
    if (limit == result.blocks) result.limiters = result.limiters | name;
  };
  mark(result.by_warps, Limiter::warps);
  mark(result.by_registers, Limiter::registers);
  mark(result.by_shared, Limiter::shared);
  mark(result.by_blocks, Limiter::blocks);
  mark(result.by_barriers, Limiter::barriers);
}

}  // namespace

std::uint32_t warps_of(const SmLimits& limits, std::uint32_t threads) {
  return narrow(divide_up(threads, limits.warp_lanes));
}

std::uint64_t registers_at_launch(const SmLimits& limits, const BlockNeeds& needs) {
  const std::uint64_t warps = warps_of(limits, needs.threads);
  if (limits.register_unit_per_block) {
    return round_up(round_up(warps, limits.warp_unit) * limits.warp_lanes * needs.registers,
                    limits.register_unit);
  }
  // The check assumes that all partitions allocate at once, so it rounds warps up to their number.
  const std::uint32_t partitions = std::max(limits.partitions, limits.launch_check_partitions);
  return registers_per_warp(limits, needs.registers) * round_up(warps, partitions);
}

std::uint32_t shared_limit(const SmLimits& limits, const BlockNeeds& needs) {
  const std::uint64_t used =
      std::uint64_t{needs.static_shared} + needs.dynamic_shared + limits.shared_reserved;
  const bool raised = needs.shared_opt_in && used > limits.shared_per_block;
  return raised ? std::max(limits.shared_per_block, limits.shared_per_block_optin)
                : limits.shared_per_block;
}

Occupancy occupancy(const SmLimits& limits, const BlockNeeds& needs) {
  Occupancy result;
  result.warps_per_block = warps_of(limits, needs.threads);
  result.by_blocks = limits.blocks_per_sm;
  result.by_barriers = limits.barrier_pool != 0 && needs.barriers != 0
                           ? limits.barrier_pool / needs.barriers
                           : unlimited;
  const std::uint32_t most = needs.most_threads > 0 ? needs.most_threads : unlimited;
  const bool has_threads =
      needs.threads > 0 && needs.threads <= std::min(limits.threads_per_block, most);
  result.by_warps = has_threads ? limits.warps_per_sm / result.warps_per_block : 0;
  result.by_registers =
      needs.threads == 0 ? unlimited : register_limit(limits, needs, result.warps_per_block);
  limit_shared(limits, needs, result);
  take_minimum(result);
  return result;
}

std::vector<std::string> limiter_names(Limiter set) {
  static constexpr std::array<std::pair<Limiter, const char*>, 5> names{
      {{Limiter::warps, "warps"},
       {Limiter::registers, "regs"},
       {Limiter::shared, "smem"},
       {Limiter::blocks, "blocks"},
       {Limiter::barriers, "barriers"}}};
  std::vector<std::string> list;
  for (const auto& [limiter, name] : names) {
    if (has(set, limiter)) list.emplace_back(name);
  }
  return list;
}

double relative_occupancy(const SmLimits& limits, double warps) {
  return warps / limits.warps_per_sm;
}

double absolute_occupancy(const SmLimits& limits, double share) {
  return share * limits.warps_per_sm;
}

}  // namespace forewarp::binding
