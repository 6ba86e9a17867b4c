// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/warp_mix.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/device_memory.h"

namespace forewarp {
namespace {

constexpr double word_bytes = 4;  // of a thread's coalesced access, as the literature counts

/// The way of data to and from memory is the models' own matter, not a unit that computes.
constexpr std::array<std::string_view, 8> not_a_pipe{"issue",      "fetch",   "l1_fill",
                                                     "l1_return",  "l2_read", "l2_write",
                                                     "store_path", "requests"};

bool is_pipe(std::string_view name) {
  return !name.starts_with("registers") &&
         std::find(not_a_pipe.begin(), not_a_pipe.end(), name) == not_a_pipe.end();
}

void add_unit_cycles(const ModelInput& in, WarpMix& mix) {
  for (std::size_t r = 0; r < in.resources.size(); ++r) {
    const double cycles = in.demand.cycles(r);
    if (in.resources[r].name == "issue") mix.issue_cycles = cycles;
    if (is_pipe(in.resources[r].name)) mix.pipe_cycles = std::max(mix.pipe_cycles, cycles);
  }
}

void add_memory_cycles(const ModelInput& in, WarpMix& mix) {
  const DeviceMemory memory = device_memory(in.gpu, in.demand, in.launch.clock_mhz);
  mix.reached_cycles = memory.cycles_per_warp;
  mix.sustained_cycles = memory.cycles_per_warp;
  if (const double ipc = in.gpu.number("volkov.memory_ipc"); ipc > 0) {
    mix.sustained_cycles = memory.bytes_per_warp / (ipc * in.gpu.limits.warp_lanes * word_bytes);
  }
  const double paper = in.gpu.memory_theory_gbs * 1e3 / (in.gpu.sms * in.launch.clock_mhz);
  if (paper > 0) mix.pin_cycles = memory.bytes_per_warp / paper;
}

/// Costs of one instruction: the mean of the mix, or an addition's where it has none.
void add_instruction_costs(const ModelInput& in, WarpMix& mix) {
  const auto found = in.gpu.classes.find(class_name(InstructionClass::fp32));
  const double slot = in.gpu.schedulers > 0 ? in.gpu.issue_interval / in.gpu.schedulers : 0;
  mix.issue_units = slot > 0 ? 1 / slot : 1;
  if (found != in.gpu.classes.end()) {
    mix.instruction_cycles = std::max(found->second.cycles, slot);
    mix.instruction_latency = in.gpu.number("volkov.latency.add", found->second.latency);
  }
  if (mix.compute > 0) {
    const double issue = mix.issue_cycles / mix.instructions();
    mix.instruction_cycles = std::max(mix.pipe_cycles / mix.compute, issue);
    mix.instruction_latency = mix.compute_wait / mix.compute;
  }
  if (mix.memory > 0) mix.access_latency = mix.memory_wait / mix.memory;
}

}  // namespace

double WarpMix::bound_cycles() const {
  return std::max({pipe_cycles, issue_cycles, sustained_cycles});
}

WarpMix warp_mix(const ModelInput& input) {
  WarpMix mix;
  mix.warps = input.launch.blocks_per_sm * input.launch.warps_per_block;
  mix.sms = input.gpu.sms;
  mix.memory = input.demand.count(Count::memory_instructions);
  mix.compute = std::max(0.0, input.demand.count(Count::instructions) - mix.memory);
  mix.transactions = mix.memory + input.demand.count(Count::reissues);
  mix.memory_wait = input.latency.memory_cycles;
  mix.compute_wait = std::max(0.0, input.latency.cycles - mix.memory_wait);
  add_unit_cycles(input, mix);
  add_memory_cycles(input, mix);
  add_instruction_costs(input, mix);
  return mix;
}

}  // namespace forewarp
