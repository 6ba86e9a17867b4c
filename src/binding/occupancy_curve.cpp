// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy_curve.h"

#include <algorithm>

namespace forewarp::binding {
namespace {

/// First value, last value and step of an axis.
struct Range {
  std::uint32_t first = 0, last = 0, step = 1;
};

Range range_of(const SmLimits& limits, const BlockNeeds& needs, CurveAxis axis) {
  switch (axis) {
    case CurveAxis::block:
      return {limits.warp_lanes, limits.threads_per_block, limits.warp_lanes};
    case CurveAxis::registers:
      return {1, limits.registers_per_thread, 1};
    case CurveAxis::shared:
      break;
  }
  const std::uint32_t allowed =
      needs.shared_opt_in ? std::max(limits.shared_per_block_optin, limits.shared_per_block)
                          : limits.shared_per_block;
  const std::uint32_t left = allowed - std::min(allowed, needs.static_shared);
  // Each point just fills an allocation unit, so that a run of equal points ends at its true edge.
  const std::uint32_t unit = std::max(limits.shared_unit, 1U);
  const std::uint32_t into_unit = (needs.static_shared + limits.shared_reserved) % unit;
  return {(unit - into_unit) % unit, left, unit};
}

std::uint32_t& need_of(BlockNeeds& needs, CurveAxis axis) {
  if (axis == CurveAxis::block) return needs.threads;
  return axis == CurveAxis::registers ? needs.registers : needs.dynamic_shared;
}

}  // namespace

std::optional<CurveAxis> curve_axis(std::string_view name) {
  if (name == "block") return CurveAxis::block;
  if (name == "regs") return CurveAxis::registers;
  if (name == "smem") return CurveAxis::shared;
  return std::nullopt;
}

std::vector<CurvePoint> occupancy_curve(const SmLimits& limits, const BlockNeeds& needs,
                                        CurveAxis axis) {
  const Range range = range_of(limits, needs, axis);
  BlockNeeds point = needs;
  std::vector<CurvePoint> curve;
  curve.reserve(range.last / range.step + 1);
  for (std::uint32_t value = range.first; value <= range.last; value += range.step) {
    need_of(point, axis) = value;
    curve.push_back({value, occupancy(limits, point)});
  }
  return curve;
}

std::vector<CurvePoint> curve_steps(const std::vector<CurvePoint>& curve) {
  std::vector<CurvePoint> steps;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool last_of_run = i + 1 == curve.size() ||
                             curve[i].occupancy.blocks != curve[i + 1].occupancy.blocks ||
                             curve[i].occupancy.limiters != curve[i + 1].occupancy.limiters;
    if (last_of_run) steps.push_back(curve[i]);
  }
  return steps;
}

std::optional<std::uint32_t> shared_for_residency(const SmLimits& limits, BlockNeeds needs,
                                                  std::uint32_t blocks) {
  const auto resident = [&](std::uint32_t dynamic) {
    needs.dynamic_shared = dynamic;
    return occupancy(limits, needs).blocks;
  };
  const std::uint32_t most = needs.shared_opt_in
                                 ? std::max(limits.shared_per_block, limits.shared_per_block_optin)
                                 : limits.shared_per_block;
  if (most < needs.static_shared) return {};
  std::uint32_t low = 0, high = most - needs.static_shared;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (resident(middle) <= blocks) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (resident(low) != blocks) return {};
  return low;
}

}  // namespace forewarp::binding
