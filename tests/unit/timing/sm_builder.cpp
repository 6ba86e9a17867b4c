// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sm_builder.h"

#include <algorithm>

namespace forewarp::tests {
namespace {

TimedInstruction timed(const Op& op) {
  TimedInstruction out;
  out.spacing = ticks(op.stall);
  out.spacing_taken = ticks(op.taken_stall > 0 ? op.taken_stall : op.stall);
  out.latency = ticks(op.latency);
  out.read_release = ticks(op.read_release);
  out.units[0] = op.unit;
  out.taken[0] = ticks(op.taken);
  out.write_barrier = op.write;
  out.read_barrier = op.read;
  out.wait_mask = op.wait;
  out.waits_on_scoreboard = static_cast<std::int8_t>(op.scoreboard);
  out.scoreboard_left = static_cast<std::uint8_t>(op.left);
  out.variable = op.variable || op.access.has_value();
  out.is_branch = op.is_branch;
  out.is_barrier = op.is_barrier;
  out.is_load = op.is_load;
  out.is_store = op.is_store;
  out.port = ticks(op.port);
  out.constant_line = op.constant;
  out.code_line = op.code_line;
  out.port_reads = static_cast<std::uint8_t>(op.ports.size());
  std::copy(op.ports.begin(), op.ports.end(), out.ports.begin());
  return out;
}

}  // namespace

std::uint8_t SmBuilder::unit(std::uint32_t queued, bool common) {
  machine.pipes.push_back({common, queued});
  return static_cast<std::uint8_t>(machine.pipes.size() - 1);
}

PathStep SmBuilder::add(const std::vector<Op>& ops) {
  PathStep step;
  step.first = static_cast<std::uint32_t>(kernel.instructions.size());
  for (const Op& op : ops) {
    TimedInstruction& out = kernel.instructions.emplace_back(timed(op));
    if (op.access) {
      out.access = static_cast<std::uint32_t>(kernel.accesses.size());
      kernel.accesses.push_back(*op.access);
    }
    kernel.ordered_barriers = kernel.ordered_barriers || op.scoreboard >= 0;
    const auto slots = [&](const std::vector<std::uint16_t>& list) {
      const auto at = static_cast<std::uint32_t>(kernel.slots.size());
      kernel.slots.insert(kernel.slots.end(), list.begin(), list.end());
      for (const std::uint16_t slot : list) {
        kernel.slot_count = std::max<std::size_t>(kernel.slot_count, slot + 1U);
      }
      return at;
    };
    out.reads = slots(op.from);
    out.read_count = static_cast<std::uint16_t>(op.from.size());
    out.writes = slots(op.to);
    out.write_count = static_cast<std::uint16_t>(op.to.size());
    kernel.code_lines = std::max(kernel.code_lines, op.code_line + 1);
  }
  step.last = static_cast<std::uint32_t>(kernel.instructions.size());
  return step;
}

SmBuilder& SmBuilder::warp(const std::vector<Op>& ops) {
  WarpPath one;
  one.steps.push_back(add(ops));
  return path(std::move(one));
}

SmBuilder& SmBuilder::path(WarpPath path) {
  paths_.push_back(std::move(path));
  return *this;
}

SmBuilder& SmBuilder::again() {
  return path(WarpPath(paths_.back()));
}

void SmBuilder::run() {
  std::vector<Stream> streams;
  streams.reserve(paths_.size());
  BlockPlan plan;
  for (const WarpPath& path : paths_) plan.push_back(&streams.emplace_back(path, 1, 1));
  BlockSupply supply({&plan}, blocks);
  recorder_.emplace(kernel.instructions.size());
  recorder_->most_events = 100000;
  DevicePath device;
  Sm sm(machine, kernel, supply, &device, resident, 0, &*recorder_);
  for (std::uint32_t b = 0; b < resident; ++b) {
    if (!sm.start_block(b * machine.block_start)) break;
  }
  while (sm.next() != never) sm.step();
  drained_ = cycles_of(sm.drained());
}

Cycles SmBuilder::issues(std::uint32_t warp, std::uint32_t block) {
  Cycles at;
  for (const IssueEvent& event : recorder().events) {
    if (event.warp == warp && event.block == block) at.push_back(cycles_of(event.at));
  }
  return at;
}

std::uint32_t SmBuilder::scheduler(std::uint32_t warp, std::uint32_t block) {
  for (const IssueEvent& event : recorder().events) {
    if (event.warp == warp && event.block == block) return event.scheduler;
  }
  return 0xffffffff;
}

Recorder& SmBuilder::recorder() {
  if (!recorder_) run();
  return *recorder_;
}

double SmBuilder::drained() {
  (void)recorder();
  return drained_;
}

TimedAccess first_level(double collect, double leave, double after, double interface) {
  TimedAccess access;
  access.collect = ticks(collect);
  access.leave = ticks(leave);
  access.after = ticks(after);
  access.interface = ticks(interface);
  access.none = 0;
  access.l1 = access.l2 = std::uint64_t{1} << 32;
  return access;
}

}  // namespace forewarp::tests
