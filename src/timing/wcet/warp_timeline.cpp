// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/wcet/warp_timeline.h"

#include <algorithm>

namespace forewarp::timing {

WarpTimeline::WarpTimeline(const WorstKernel& worst) : worst_(worst) {
  warp_.ready.resize(WorstKernel::registers);
}

void WarpTimeline::spend(const WorstInstruction& instruction, double cycles) {
  region_.of(instruction.part) += cycles;
  bound_.components[static_cast<std::size_t>(instruction.component)] += cycles;
}

void WarpTimeline::close_region(std::uint32_t end, double now) {
  RegionTime& region = bound_.regions[{region_begin_, end}];
  region.count += 1;
  region.cycles += region_;
  region.most = std::max(region.most, now - region_start_);
  region_ = {};
  region_start_ = now;
  region_begin_ = end;
}

void WarpTimeline::issue(std::uint32_t index) {
  const WorstInstruction& instruction = worst_.instructions[index];
  double start = warp_.next.at;
  const auto hold = [&](const auto& until, Held, std::uint16_t) {
    start = std::max(start, until.at);
  };
  hold_for_values(warp_, instruction.reads, hold);
  hold_for_values(warp_, instruction.writes, hold);  // no bound may count on results in order
  // Only arithmetic can be waited for here: everything slower holds its warp until it is done.
  region_.compute += start - warp_.next.at;
  bound_.components[static_cast<std::size_t>(Component::arithmetic)] += start - warp_.next.at;
  if (instruction.clock) close_region(index, start);
  spend(instruction, instruction.spacing);
  follow_after(warp_, {start}, instruction.spacing);  // branches alike, taken or not
  set_values(warp_, instruction.writes, {start + instruction.latency});
  if (instruction.unit > 0 || instruction.spacing > worst_.rules.spacing) bound_.delays += 1;
  bound_.units += instruction.unit;
  if (!instruction.barrier) return;
  bound_.barriers += 1;
  close_region(index, warp_.next.at);
}

WarpTimeline::State WarpTimeline::state() const {
  State now;
  for (std::size_t r = 0; r < warp_.ready.size(); ++r) {
    now.ready[r] = std::max(0.0, warp_.ready[r].at - warp_.next.at);
  }
  now.region_begin = region_begin_;
  now.region_length = warp_.next.at - region_start_;
  return now;
}

void WarpTimeline::follow(const std::vector<TraceStep>& steps) {
  for (const TraceStep& step : steps) {
    if (step.is_loop()) {
      repeat(step);
      continue;
    }
    for (std::uint32_t i = step.first; i < step.last; ++i) issue(i);
  }
}

/// A pass that ends in the state in which it began is followed by identical passes. If no region
/// was closed, only the region's length differs, and its parts grow by the same in each pass.
void WarpTimeline::repeat(const TraceStep& loop) {
  for (std::uint64_t pass = 0; pass < loop.trips; ++pass) {
    const State before = state();
    const WarpBound bound = bound_;
    const WorkCycles region = region_;
    const double begin = warp_.next.at;
    follow(loop.body);
    State after = state();
    const bool inside =
        bound.regions.size() == bound_.regions.size() &&
        std::equal(bound.regions.begin(), bound.regions.end(), bound_.regions.begin(),
                   [](const auto& a, const auto& b) { return a.second.count == b.second.count; });
    if (inside) after.region_length = before.region_length;
    if (!(before == after)) continue;
    const auto left = static_cast<double>(loop.trips - pass - 1);
    const double time = left * (warp_.next.at - begin);
    if (!inside) region_start_ += time;
    if (inside) {
      region_.compute += left * (region_.compute - region.compute);
      region_.load += left * (region_.load - region.load);
      region_.store += left * (region_.store - region.store);
    }
    skip(bound, time, left);
    return;
  }
}

/// Adds `passes` times what was added since `before`; these passes take `time` cycles.
void WarpTimeline::skip(const WarpBound& before, double time, double passes) {
  for (auto& ready : warp_.ready) {
    if (ready.at > warp_.next.at) ready.at += time;
  }
  warp_.next.at += time;
  bound_.units += passes * (bound_.units - before.units);
  bound_.delays += passes * (bound_.delays - before.delays);
  bound_.barriers += passes * (bound_.barriers - before.barriers);
  for (std::size_t c = 0; c < bound_.components.size(); ++c) {
    bound_.components[c] += passes * (bound_.components[c] - before.components[c]);
  }
  for (auto& [key, region] : bound_.regions) {
    const auto found = before.regions.find(key);
    const RegionTime old = found == before.regions.end() ? RegionTime{} : found->second;
    region.count += passes * (region.count - old.count);
    region.cycles.compute += passes * (region.cycles.compute - old.cycles.compute);
    region.cycles.load += passes * (region.cycles.load - old.cycles.load);
    region.cycles.store += passes * (region.cycles.store - old.cycles.store);
  }
}

WarpBound WarpTimeline::finish() {
  double end = warp_.next.at;
  for (const auto& ready : warp_.ready) end = std::max(end, ready.at);
  region_.compute += end - warp_.next.at;
  bound_.components[static_cast<std::size_t>(Component::arithmetic)] += end - warp_.next.at;
  close_region(static_cast<std::uint32_t>(worst_.instructions.size()), end);
  bound_.cycles = end;
  return std::move(bound_);
}

}  // namespace forewarp::timing
