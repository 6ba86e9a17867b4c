// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/warp_trace.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/control_flow.h"
#include "base/mixed.h"
#include "execution/grid/profile_run.h"
#include "execution/warp/warp_runner.h"

namespace forewarp::execution {
namespace {

std::uint64_t run_hash(const TraceStep& run) {
  return mixed(std::uint64_t{run.first} << 32 | run.last);
}

void rehash(TraceStep& loop) {
  std::uint64_t hash = mixed(loop.trips + 0x9e3779b97f4a7c15U);
  for (const TraceStep& step : loop.body) hash = mixed(hash ^ step.hash);
  loop.hash = hash;
}

/// Whether two steps match in their jumps: the last iteration of a loop may fall through where
/// earlier ones jump back.
bool jumps_alike(const TraceStep& before, const TraceStep& after, bool last_of_pass) {
  if (before.is_loop() || before.jumps == after.jumps) return true;
  return last_of_pass && before.jumps;
}

bool same_steps(std::span<const TraceStep> pass, std::span<const TraceStep> next) {
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (pass[i].hash != next[i].hash) return false;
    if (!jumps_alike(pass[i], next[i], i + 1 == pass.size())) return false;
  }
  return true;
}

bool leaves(const TraceStep& usual, const TraceStep& last) {
  return !usual.is_loop() && usual.jumps && !last.jumps;
}

/// Leaves out what other blocks of the cluster contributed.
void keep_own(const PhaseCount& count, AsyncEvent& event) {
  if (event.kind == AsyncEvent::Kind::init && count.arrivals > 0)
    event.count = static_cast<std::uint32_t>(event.count * count.own_arrivals / count.arrivals);
  if (event.kind == AsyncEvent::Kind::arrive && count.bytes > 0)
    event.bytes = event.bytes * static_cast<std::int64_t>(count.own_bytes) /
                  static_cast<std::int64_t>(count.bytes);
  if (event.kind == AsyncEvent::Kind::wait && count.own_arrivals == 0 && count.own_bytes == 0)
    event.count = 0;  // nobody here knows when
}

std::vector<std::uint8_t> block_leaders(const Kernel& kernel) {
  std::vector<std::uint8_t> begins(kernel.instructions.size(), 0);
  const ControlFlow flow(kernel);
  for (const BasicBlock& block : flow.blocks()) begins[block.first] = 1;
  return begins;
}

}  // namespace

void TraceFolder::close_run(bool jumps) {
  if (!open_ || steps_.size() >= most_steps) return;
  recorded_ = instructions_ - 1;
  run_.jumps = jumps;
  run_.hash = run_hash(run_);
  steps_.push_back(std::move(run_));
  while (extend_loop() || start_loop()) {
  }
}

/// If the last steps equal the body of the loop before them, adds an iteration to it.
bool TraceFolder::extend_loop() {
  for (std::size_t size = 1; size <= longest_body && size < steps_.size(); ++size) {
    TraceStep& loop = steps_[steps_.size() - size - 1];
    if (!loop.is_loop() || loop.body.size() != size || loop.leaves_at_end) continue;
    const auto pass = std::span<const TraceStep>(steps_).last(size);
    if (!same_steps(loop.body, pass)) continue;
    loop.leaves_at_end = leaves(loop.body.back(), pass.back());
    ++loop.trips;
    rehash(loop);
    steps_.resize(steps_.size() - size);
    return true;
  }
  return false;
}

/// If the last steps repeat those just before them, makes a loop of both.
bool TraceFolder::start_loop() {
  for (std::size_t size = 1; size <= longest_body && 2 * size <= steps_.size(); ++size) {
    const auto both = std::span<const TraceStep>(steps_).last(2 * size);
    if (!same_steps(both.first(size), both.last(size))) continue;
    TraceStep loop;
    loop.trips = 2;
    const auto begin = steps_.end() - static_cast<std::ptrdiff_t>(2 * size);
    loop.leaves_at_end = leaves(*(begin + static_cast<std::ptrdiff_t>(size) - 1), steps_.back());
    loop.body.assign(std::make_move_iterator(begin),
                     std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(size)));
    rehash(loop);
    steps_.resize(steps_.size() - 2 * size);
    steps_.push_back(std::move(loop));
    return true;
  }
  return false;
}

WarpTrace TraceFolder::finish() {
  const bool cut = steps_.size() >= most_steps;
  close_run(false);
  WarpTrace trace;
  trace.steps = std::move(steps_);
  trace.events = std::move(events_);
  trace.instructions = instructions_;
  trace.recorded = cut ? recorded_ : instructions_;
  return trace;
}

WarpTracer::WarpTracer(const Program& program, std::span<const WarpPlace> places)
    : begins_(std::make_shared<const std::vector<std::uint8_t>>(block_leaders(*program.kernel))) {
  for (const WarpPlace& place : places)
    folders_.emplace(std::pair{place.block, place.warp}, TraceFolder(*begins_));
}

WarpTracer WarpTracer::empty() const {
  WarpTracer copy(begins_);
  for (const auto& [place, folder] : folders_) copy.folders_.emplace(place, TraceFolder(*begins_));
  return copy;
}

void WarpTracer::merge(WarpTracer& later) {
  for (auto& [place, folder] : later.folders_) {
    if (folder.instructions() > 0) folders_.insert_or_assign(place, std::move(folder));
  }
}

void WarpTracer::happened(const Warp& warp, const AsyncEvent& event) {
  if (TraceFolder* const own = folder_of(warp)) own->add(event);
}

/// Leaves out what other blocks of the cluster contributed to the barriers of this one.
void WarpTracer::block_ended(const Block& block) {
  for (const PhaseCount& count : block.phases) {
    if (count.own_arrivals == count.arrivals && count.own_bytes == count.bytes) continue;
    for (auto& [place, folder] : folders_) {
      if (place.first != block.linear) continue;
      for (AsyncEvent& event : folder.events()) {
        if (event.barrier == count.barrier) keep_own(count, event);
      }
    }
  }
}

std::vector<WarpTrace> WarpTracer::take(std::span<const WarpPlace> places) {
  std::vector<WarpTrace> traces;
  for (const WarpPlace& place : places) {
    traces.push_back(folders_.at({place.block, place.warp}).finish());
    traces.back().place = place;
  }
  return traces;
}

std::vector<WarpPlace> places_of(std::uint64_t block, std::uint32_t warps) {
  std::vector<WarpPlace> places;
  for (std::uint32_t warp = 0; warp < warps; ++warp) places.push_back({block, warp});
  return places;
}

Expected<std::vector<WarpTrace>> trace_warps(const Program& program, const ExecutionInput& input,
                                             std::span<const WarpPlace> places,
                                             const GridOptions& options, std::uint64_t waiting) {
  WarpTracer sink(program, places);
  std::vector<std::uint64_t> blocks;
  for (const WarpPlace& place : places) blocks.push_back(place.block);
  if (waiting > 0) {
    for (const WarpPlace& place : places) waiting = std::max(waiting, place.block + 1);
    blocks.resize(std::min(input.blocks(), waiting));
    std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  auto run = run_grid(program, input, blocks, options, sink);
  if (!run) return std::move(run).error();
  return sink.take(places);
}

std::uint64_t instructions_of(const std::vector<WarpTrace>& block) {
  std::uint64_t all = 0;
  for (const WarpTrace& trace : block) all += trace.instructions;
  return all;
}

}  // namespace forewarp::execution
