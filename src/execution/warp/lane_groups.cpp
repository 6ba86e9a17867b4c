// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/lane_groups.h"

#include <bit>

#include "execution/warp/block.h"

namespace forewarp::execution::lane_groups {
namespace {

using State = LaneGroup::State;

/// All lanes that must arrive before a waiting group goes on.
LaneMask awaited_by(const Warp& warp, const LaneGroup& group) {
  if (group.state == State::at_warp_sync) return group.awaited & warp.alive;
  const auto lane = static_cast<unsigned>(std::countr_zero(group.lanes));
  return warp.divergence.convergence[group.convergence][lane] & warp.alive;
}

bool waits_together(const LaneGroup& a, const LaneGroup& b) {
  if (a.state != b.state) return false;
  // Lanes may meet a WARPSYNC at several places; those of one place then go on together.
  return a.state == State::at_warp_sync || (a.pc == b.pc && a.convergence == b.convergence);
}

/// Lanes that go on at one place go on together.
void add_released(std::vector<LaneGroup>& released, const LaneGroup& group, LaneMask alive) {
  for (LaneGroup& same : released) {
    if (same.pc != group.pc) continue;
    same.lanes |= group.lanes & alive;
    return;
  }
  released.push_back({group.lanes & alive, group.pc, State::ready, 0, 0});
}

/// Merges the groups at a meeting if all lanes that group `at` waits for have arrived.
bool complete(Warp& warp, std::size_t at) {
  auto& groups = warp.divergence.groups;
  const LaneGroup group = groups[at];
  if (group.state != State::at_convergence && group.state != State::at_warp_sync) return false;
  const LaneMask awaited = awaited_by(warp, group);
  // At one place there may be lanes that wait for others than these.
  const auto of_meeting = [&](const LaneGroup& other) {
    return waits_together(group, other) &&
           (other.state == State::at_warp_sync || (other.lanes & (awaited | group.lanes)) != 0);
  };
  LaneMask here = 0;
  for (const LaneGroup& other : groups) {
    if (of_meeting(other)) here |= other.lanes;
  }
  if ((awaited & ~here) != 0) return false;
  std::vector<LaneGroup> released;
  std::erase_if(groups, [&](const LaneGroup& other) {
    const bool meets = of_meeting(other) && (other.lanes & (awaited | group.lanes)) != 0;
    if (meets) add_released(released, other, warp.alive);
    return meets;
  });
  groups.insert(groups.end(), released.begin(), released.end());
  return true;
}

/// A WARPSYNC of lanes whose mask names others that wait for these elsewhere. CUDA leaves it
/// undefined; boards go on (the reductions of numba.cuda rely on it). Instructions that were left;
/// empty: there is no such.
std::vector<std::uint32_t> leave_meetings(Warp& warp) {
  std::vector<std::uint32_t> left;
  std::vector<LaneGroup> released;
  std::erase_if(warp.divergence.groups, [&](const LaneGroup& group) {
    if (group.state != State::at_warp_sync) return false;
    left.push_back(group.pc - 1);  // the group goes on behind it
    add_released(released, group, warp.alive);
    return true;
  });
  warp.divergence.groups.insert(warp.divergence.groups.end(), released.begin(), released.end());
  return left;
}

void complete_all(Warp& warp) {
  bool again = true;
  while (again) {
    again = false;
    for (std::size_t i = 0; i < warp.divergence.groups.size() && !again; ++i)
      again = complete(warp, i);
  }
}

}  // namespace

void park(Warp& warp, LaneMask lanes, std::uint32_t pc, LaneGroup::State state) {
  LaneGroup group;
  group.lanes = lanes;
  group.pc = pc;
  group.state = state;
  warp.divergence.groups.push_back(group);
  warp.active &= ~lanes;
}

WarpState resume(Warp& warp) {
  auto& groups = warp.divergence.groups;
  std::erase_if(groups, [&](LaneGroup& group) { return (group.lanes &= warp.alive) == 0; });
  complete_all(warp);
  bool barrier = false;
  for (std::size_t i = groups.size(); i > 0; --i) {
    const LaneGroup group = groups[i - 1];
    barrier = barrier || group.state == State::at_barrier;
    if (group.state != State::ready) continue;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i - 1));
    warp.active = group.lanes;
    warp.pc = group.pc;
    return WarpState::runs;
  }
  warp.active = 0;
  if (barrier) return WarpState::at_barrier;
  if (groups.empty()) return WarpState::ended;
  const std::vector<std::uint32_t> left = leave_meetings(warp);
  for (const std::uint32_t at : left) warp.block->environment->assumed[at] |= assumed_meeting;
  if (!left.empty()) return resume(warp);
  warp.fault.kind = Fault::Kind::deadlock;
  warp.fault.lanes = warp.alive;
  warp.fault.instruction = groups.back().pc;
  return WarpState::faulted;
}

}  // namespace forewarp::execution::lane_groups
