// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/warp_mix.h"

#include <algorithm>
#include <cmath>

#include "base/quantities.h"
#include "binding/bind_timing.h"
#include "model/device_memory.h"

namespace forewarp::model {
namespace {

constexpr double word_bytes = 4;  // of one thread's coalesced access, as in the literature

/// Resources on the path to and from memory, which the models count by themselves, are no pipes.
bool is_pipe(ResourceRole role) {
  switch (role) {
    case ResourceRole::issue:
    case ResourceRole::fetch:
    case ResourceRole::l1_fill:
    case ResourceRole::l1_return:
    case ResourceRole::l2_read:
    case ResourceRole::l2_write:
    case ResourceRole::store_path:
    case ResourceRole::requests:
    case ResourceRole::registers:
      return false;
    default:
      return true;
  }
}

/// Resident warps and active SMs, also of a grid that does not fill the GPU.
void add_residents(const ModelInput& in, WarpMix& mix) {
  const LaunchShape& launch = in.launch;
  mix.sms = in.gpu.sms;
  mix.active_sms = std::clamp(launch.blocks, 1.0, mix.sms);
  const double on_each = std::max(1.0, std::ceil(launch.blocks / mix.active_sms));
  mix.warps = std::min(launch.blocks_per_sm, on_each) * launch.warps_per_block;
}

void add_unit_cycles(const ModelInput& in, WarpMix& mix) {
  for (std::size_t r = 0; r < in.resources.size(); ++r) {
    const double cycles = in.demand.cycles(r);
    if (in.resources[r].role == ResourceRole::issue) mix.issue_cycles = cycles;
    if (is_pipe(in.resources[r].role)) mix.pipe_cycles = std::max(mix.pipe_cycles, cycles);
  }
}

void add_accesses(const Demand& demand, WarpMix& mix) {
  const double further = demand.count(Count::line_reissues);
  mix.transactions = mix.memory + further;
  mix.uncoalesced = std::min(mix.memory, demand.count(Count::uncoalesced_instructions));
  mix.uncoalesced_transactions = mix.uncoalesced + further;
  mix.bytes = demand.count(Count::read_bytes) + demand.count(Count::write_bytes);
  mix.barriers = demand.count(Count::barriers);
}

void add_memory_cycles(const ModelInput& in, WarpMix& mix) {
  const DeviceMemory memory = device_memory(in.gpu, in.demand, in.launch.clock);
  mix.reached_cycles = memory.cycles_per_warp.value();
  mix.sustained_cycles = memory.cycles_per_warp.value();
  if (const double ipc = in.gpu.number("volkov.memory_ipc"); ipc > 0) {
    const BytesPerCycle issued(ipc * in.gpu.limits.warp_lanes * word_bytes);
    mix.sustained_cycles = (memory.bytes_per_warp / issued).value();
  }
  const BytesPerCycle paper =
      per_cycle(GigabytesPerSecond(in.gpu.memory.theory_gbs), in.gpu.sms * in.launch.clock);
  if (paper > BytesPerCycle(0)) mix.pin_cycles = (memory.bytes_per_warp / paper).value();
  const double share = mix.active_sms / mix.sms;  // active SMs share all of the bandwidth
  mix.reached_cycles *= share;
  mix.sustained_cycles *= share;
  mix.pin_cycles *= share;
}

/// The clock over that at which the latency of memory was measured.
double latency_scale(const Gpu& gpu, Megahertz clock) {
  return gpu.memory.latency_mhz > 0 ? clock / Megahertz(gpu.memory.latency_mhz) : 1;
}

Contention contention_of(const Gpu& gpu, Megahertz clock) {
  Contention fit;
  const double scale = latency_scale(gpu, clock);
  fit.unloaded = gpu.number("volkov.a", gpu.memory.latency * scale);
  fit.growth = gpu.number("volkov.b", gpu.memory.contention_read);
  fit.pole = gpu.number("volkov.c", gpu.memory.contention_read_share * gpu.memory.theory_gbs);
  return fit;
}

Contention finer_contention(const Gpu& gpu, const Contention& plain) {
  Contention fit;
  fit.unloaded = gpu.number("volkov.four.a");
  fit.growth = gpu.number("volkov.four.b1");
  fit.pole = gpu.number("volkov.four.c1");
  fit.growth2 = gpu.number("volkov.four.b2");
  fit.pole2 = gpu.number("volkov.four.c2");
  return fit.unloaded > 0 ? fit : plain;
}

void add_contention(const ModelInput& in, WarpMix& mix) {
  const double bytes = in.demand.count(Count::read_bytes) + in.demand.count(Count::write_bytes);
  mix.gbs_per_rate = per_second(BytesPerCycle(bytes * mix.active_sms), in.launch.clock).value();
  mix.contention = contention_of(in.gpu, in.launch.clock);
  mix.contention4 = finer_contention(in.gpu, mix.contention);
  const double scale = latency_scale(in.gpu, in.launch.clock);
  const double unloaded = in.gpu.number("volkov.latency.stream", in.gpu.memory.latency * scale);
  if (unloaded > 0) mix.rounds = mix.memory_wait / unloaded;
}

/// Costs of one instruction: the mean of the mix, or an addition's where it has none.
void add_instruction_costs(const ModelInput& in, WarpMix& mix) {
  const auto found = in.gpu.classes.find(class_name(InstructionClass::fp32));
  const double slot = in.gpu.schedulers > 0 ? in.gpu.issue_interval / in.gpu.schedulers : 0;
  mix.issue_units = slot > 0 ? 1 / slot : 1;
  mix.issue_slot = slot;
  if (found != in.gpu.classes.end()) {
    mix.instruction_cycles = std::max(found->second.cycles, slot);
    mix.instruction_latency = in.gpu.number("volkov.latency.add", found->second.latency);
  }
  if (mix.compute > 0) {
    const double issue = mix.issue_cycles / mix.instructions();
    mix.instruction_cycles = std::max(mix.pipe_cycles / mix.compute, issue);
    mix.instruction_latency = mix.compute_wait / mix.compute;
  }
  mix.memory_latency = memory_latencies(in.gpu, in.launch.clock).global;
  if (mix.memory > 0) mix.access_latency = mix.memory_wait / mix.memory;
}

}  // namespace

double Contention::latency(double gbs) const {
  double cycles = unloaded + growth * gbs / (pole - gbs);
  if (pole2 > 0) cycles += growth2 * gbs / (pole2 - gbs);
  return cycles;
}

double Contention::limit() const {
  return pole2 > 0 ? std::min(pole, pole2) : pole;
}

double WarpMix::bound_cycles() const {
  return std::max({pipe_cycles, issue_cycles, sustained_cycles});
}

WarpMix warp_mix(const ModelInput& input) {
  WarpMix mix;
  add_residents(input, mix);
  mix.memory = input.demand.count(Count::memory_instructions);
  mix.compute = std::max(0.0, input.demand.count(Count::instructions) - mix.memory);
  add_accesses(input.demand, mix);
  mix.memory_wait = input.latency.memory_cycles;
  mix.compute_wait = std::max(0.0, input.latency.cycles - mix.memory_wait);
  add_unit_cycles(input, mix);
  add_memory_cycles(input, mix);
  add_instruction_costs(input, mix);
  add_contention(input, mix);
  mix.special = input.demand.of_class(InstructionClass::sfu);
  mix.shared = input.demand.count(Count::shared_instructions);
  return mix;
}

}  // namespace forewarp::model
