// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/replayed_windows.h"

#include <algorithm>
#include <cmath>

#include "memory/buffer_footprint.h"
#include "memory/shares.h"

namespace forewarp::memory {
namespace {

void add_first_uses(const ReplayCounts& counts, const ReplayWindow& window, double times,
                    Replayed& sum) {
  sum.first.resize(counts.first.size());
  for (std::size_t b = 0; b < counts.first.size(); ++b) {
    const FirstUses& seen = counts.first[b];
    WindowFirstUses& its = sum.first[b];
    its.lines += number(seen.lines);
    its.sectors += number(seen.sectors);
    its.written += number(seen.written);
    its.fetched += number(seen.fetched);
    for (const auto& [instruction, sectors] : seen.fetched_by)
      its.fetched_by[instruction] += times * number(sectors);
  }
  const double all =
      window.order.empty() ? number(window.last - window.first) : number(window.order.size());
  sum.first_windows += 1;
  sum.first_blocks += all;
  sum.warming_blocks += all - number(counts.blocks);
}

void replay_window(const Replayable& grid, const ReplayPlan& plan, const ReplayWindow& window,
                   bool warm, Replayed& sum) {
  Replay replay(grid.streams, grid.synthesis, grid.geometry, grid.gpu, plan.machine);
  ReplayCounts counts;
  if (warm && plan.sees_all()) {
    // The previous launch left what its last blocks used.
    const std::uint64_t all = volume(grid.streams.grid);
    ReplayCounts before;
    replay.run(0, all, all, before);
    replay.start_kernel();
  }
  if (window.order.empty()) {
    replay.run(window.first, window.counted_from, window.last, counts);
  } else {
    replay.run(window.order, 0, counts);
  }
  const double times = ratio(window.stands_for, number(counts.blocks));
  SectorCounts seen;
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t i = 0; i < counts.instructions[half].size(); ++i) {
      const SectorCounts& one = counts.instructions[half][i];
      sum.instructions[i].add(one, times);
      sum.halves[half].add(one, times);
      sum.all.add(one, times);
      seen.add(one);
    }
  }
  if (window.stands_for > 0 && seen.sectors > 0)
    sum.fetched.push_back(ratio(number(seen.fetched), number(seen.sectors)));
  for (std::size_t i = 0; i < counts.ran.size(); ++i) sum.ran[i] = sum.ran[i] || counts.ran[i];
  // At the start of a cold grid, fetches are certain for the window's own blocks, not for others
  // that it represents.
  const bool own = grid.synthesis.complete() || window.stands_for <= number(counts.blocks);
  const bool certain = window.first == 0 && !warm && own;
  sum.unsure += certain ? 0 : times * number(counts.unsure);
  if (!certain) add_first_uses(counts, window, times, sum);
  sum.blocks += number(counts.blocks);
  sum.requests += number(counts.requests);
  const double lines = std::exp2(plan.machine.caches.sample_bits);
  sum.left_dirty = lines * number(replay.caches().l2_dirty_sectors());
  sum.touched.add(replay.touched());
  sum.local_bytes = std::max(sum.local_bytes, local_bytes_of(replay.touched(), lines, grid.gpu));
  if (plan.windows.size() > 1) return;
  sum.touched_first = replay.touched_early();
  sum.first_requests = number(counts.early_requests);
}

}  // namespace

Replayed replay_windows(const Replayable& grid, const ReplayPlan& plan, bool warm) {
  Replayed sum;
  sum.instructions.resize(grid.streams.hints.size());
  sum.ran.resize(grid.streams.hints.size());
  for (std::size_t i = 0; i < plan.windows.size(); ++i) {
    replay_window(grid, plan, plan.windows[i], warm, sum);
    if (2 * (i + 1) > plan.windows.size()) continue;
    sum.touched_first = sum.touched;
    sum.first_requests = sum.requests;
  }
  return sum;
}

}  // namespace forewarp::memory
