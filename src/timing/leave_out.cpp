// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/leave_out.h"

#include <algorithm>

namespace forewarp::timing {
namespace {

constexpr Ticks any_rate = cycle / 16;  // between two issues of a scheduler: the shortest there is

void free_memory_rates(SmMachine& machine, TimedKernel& kernel) {
  machine.device_delays.clear();
  for (TimedAccess& access : kernel.accesses) {
    access.l2_port = access.memory = access.slice = access.written = 0;
    access.memory_bytes = access.slice_cycles = access.written_cycles = 0;
  }
}

void free_memory_unit(SmMachine& machine, TimedKernel& kernel) {
  machine.memory_queue = machine.sm_requests = 0;
  for (TimedAccess& access : kernel.accesses) {
    access.collect = access.interface = access.data = access.more_passes = 0;
  }
}

void free_pipes(SmMachine& machine, TimedKernel& kernel) {
  machine.issue_interval = std::min(machine.issue_interval, any_rate);
  machine.banks = 0;
  machine.jump_fetches = 0;
  machine.code_cache_lines = 0;
  for (TimedInstruction& instruction : kernel.instructions) {
    instruction.taken.fill(0);
    instruction.port = 0;
  }
}

void free_memory_latency(TimedKernel& kernel) {
  for (TimedAccess& access : kernel.accesses) {
    if (!access.is_memory || access.is_copy) continue;
    access.leave = access.after = access.extra_l2 = access.extra_memory = 0;
  }
}

void free_other_latency(SmMachine& machine, TimedKernel& kernel) {
  machine.store_gap = 0;
  machine.load_gaps.clear();
  for (TimedInstruction& instruction : kernel.instructions) {
    if (!instruction.is_barrier) instruction.latency = instruction.read_release = 0;
    instruction.spacing = std::min(instruction.spacing, machine.issue_interval);
    instruction.spacing_taken = std::min(instruction.spacing_taken, machine.issue_interval);
  }
  for (TimedAccess& access : kernel.accesses) {
    if (!access.is_memory) access.leave = access.after = 0;
  }
}

}  // namespace

void leave_out(const LeftOut& what, SmMachine& machine, TimedKernel& kernel) {
  if (what.memory_rates) free_memory_rates(machine, kernel);
  if (what.memory_unit) free_memory_unit(machine, kernel);
  if (what.pipes) free_pipes(machine, kernel);
  if (what.memory_latency) free_memory_latency(kernel);
  if (what.other_latency) free_other_latency(machine, kernel);
  if (!what.barriers) return;
  for (TimedInstruction& instruction : kernel.instructions) {
    if (instruction.has_events) continue;
    if (instruction.is_barrier) instruction.latency = 0;
    instruction.is_barrier = false;
  }
}

}  // namespace forewarp::timing
