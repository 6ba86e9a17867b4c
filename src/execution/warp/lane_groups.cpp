// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/lane_groups.h"

#include <algorithm>
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
  released.push_back({group.lanes & alive, group.pc, State::ready, 0, 0, {}});
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

std::uint64_t state_print(const Warp& warp) {
  const std::uint32_t cells = warp.block->environment->program->cell_count;
  std::uint64_t hash = warp.active;
  const auto mix = [&hash](std::uint32_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  };
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    for (unsigned i = 0; i < lane_count; ++i)
      mix(has_lane(warp.active, i) ? warp.cell_at(cell)[i] : 0);
  }
  for (const LaneMask predicate : warp.predicates) mix(predicate & warp.active);
  return hash;
}

bool others_are_ready(const Warp& warp) {
  return std::any_of(warp.divergence.groups.begin(), warp.divergence.groups.end(),
                     [](const LaneGroup& group) { return group.state == State::ready; });
}

bool all_ready_poll(const Warp& warp) {
  return std::all_of(
      warp.divergence.groups.begin(), warp.divergence.groups.end(),
      [](const LaneGroup& group) { return group.state != State::ready || group.vain.polls; });
}

}  // namespace

bool rotate(Warp& warp) {
  auto& groups = warp.divergence.groups;
  if (warp.active == 0 || !others_are_ready(warp)) return false;
  LaneGroup group;
  group.lanes = warp.active;
  group.pc = warp.pc;
  group.vain = warp.divergence.vain;
  groups.insert(groups.begin(), group);
  warp.active = 0;
  resume(warp);
  return true;
}

bool release_awaiting(Warp& warp) {
  auto& groups = warp.divergence.groups;
  LaneMask polling = warp.active;
  for (const LaneGroup& group : groups) polling |= group.state == State::ready ? group.lanes : 0;
  const auto blocked = std::find_if(groups.rbegin(), groups.rend(), [&](const LaneGroup& group) {
    return group.state == State::at_convergence && (awaited_by(warp, group) & polling) != 0;
  });
  if (blocked == groups.rend()) return false;
  const LaneGroup first = *blocked;
  LaneMask freed = 0;
  for (LaneGroup& group : groups) {
    if (!waits_together(first, group)) continue;
    freed |= group.lanes;
    group.state = State::ready;
  }
  auto& members = warp.divergence.convergence[first.convergence];
  for (unsigned i = 0; i < lane_count; ++i) members[i] &= has_lane(freed, i) ? freed : ~freed;
  std::vector<LaneGroup> released;
  std::erase_if(groups, [&](const LaneGroup& group) {
    const bool is_free = group.state == State::ready && (group.lanes & freed) != 0;
    if (is_free) add_released(released, group, warp.alive);
    return is_free;
  });
  groups.insert(groups.end(), released.begin(), released.end());
  warp.divergence.vain = {};
  for (LaneGroup& group : groups) group.vain = {};
  return true;
}

void give_way(Warp& warp) {
  VainTurns& vain = warp.divergence.vain;
  if (warp.divergence.groups.empty() || warp.active == 0) return;
  constexpr std::uint32_t patience = 256, most_elsewhere = 64;
  if (vain.times != 0 && vain.pc != warp.pc && ++vain.elsewhere < most_elsewhere) return;
  if (vain.pc != warp.pc) vain = {warp.pc, 0, 0, 0, false};
  vain.elsewhere = 0;
  // Two looks at the state, one pass of the loop apart: most loops that give way do count.
  const std::uint32_t turn = ++vain.times % patience;
  if (turn == patience - 1) vain.print = state_print(warp);
  if (turn != 0) return;
  vain.polls = vain.print == state_print(warp);
  if (!vain.polls) return;
  // Where all poll that can run, one of those that cannot has what they wait for.
  if (all_ready_poll(warp)) release_awaiting(warp);
  rotate(warp);
}

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
    warp.divergence.vain = group.vain;
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
