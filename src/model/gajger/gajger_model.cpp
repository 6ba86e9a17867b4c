// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gajger/gajger_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/quantities.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { counts, latency, lambda, occupancy };
enum Counts : int { text, simulated, strict };

constexpr std::array<ModelOption, 4> declared{{
    {"counts", "text|simulated|strict", "simulated",
     "issued instructions: pairs deducted once (text), never (simulated), or per execution"},
    {"latency", "thesis|strict", "thesis", "a loop's first pass counted twice, or once"},
    {"lambda", "number", "0", "scaling parameter; 0: the GPU's own (gajger.lambda), else 1"},
    {"occupancy", "number", "0", "warps per SM; 0: what fits"},
}};

enum Bound : std::size_t { cores, issue, memory, bound_kinds };

double fact(const Gpu& gpu, std::string_view path, double otherwise) {
  const auto found = gpu.facts.find(path);
  return found == gpu.facts.end() ? otherwise : found->second.value;
}

double core_instructions(const Demand& demand) {
  return demand.count(Count::instructions) - demand.count(Count::memory_instructions);
}

double issued(const ModelInput& input, const OptionValues& options) {
  const double all = input.demand.count(Count::instructions) +
                     input.demand.count(Count::reissues) * input.gpu.reissue_slots;
  switch (static_cast<int>(options[counts])) {
    case text:
      return all - input.static_dual_pairs;
    case strict:
      return all - input.demand.count(Count::dual_pairs);
    default:
      return all;
  }
}

/// Eq. 4.7, unless the parameter set states the rounded figure.
double bandwidth(const ModelInput& input) {
  const BytesPerCycle of_sm = per_cycle(GigabytesPerSecond(input.gpu.memory.theory_gbs),
                                        input.gpu.sms * input.launch.clock);
  return fact(input.gpu, "gajger.gmem_bytes_per_cycle_sm", of_sm.value());
}

double scaling(const ModelInput& input, const OptionValues& options) {
  return options[lambda] > 0 ? options[lambda] : fact(input.gpu, "gajger.lambda", 1);
}

}  // namespace

std::span<const ModelOption> GajgerModel::options() const {
  return declared;
}

Mechanisms GajgerModel::accounts_for() const {
  return {Mechanism::occupancy, Mechanism::arithmetic_latency, Mechanism::memory_latency,
          Mechanism::issue, Mechanism::bandwidth};
}

LoopCounting GajgerModel::loop_counting(const OptionValues& options) const {
  return options[latency] == 0 ? LoopCounting::repeated : LoopCounting::strict;
}

std::vector<ResourceInfo> GajgerModel::bounds(std::span<const ResourceInfo> resources) const {
  (void)resources;
  ResourceInfo device_memory(ResourceRole::device_memory);
  device_memory.label = "global memory";
  return {{"cores", "CUDA cores"}, ResourceInfo(ResourceRole::issue), device_memory};
}

Prediction GajgerModel::predict(const ModelInput& input, const OptionValues& options) const {
  const Gpu& gpu = input.gpu;
  Prediction p;
  p.bound_count = bound_kinds;
  p.bound_cycles[cores] =
      gpu.core_lanes > 0 ? gpu.limits.warp_lanes * core_instructions(input.demand) / gpu.core_lanes
                         : 0;
  p.bound_cycles[issue] = gpu.schedulers > 0 ? issued(input, options) / gpu.schedulers : 0;
  p.bound_cycles[memory] = input.demand.count(Count::global_bytes) / bandwidth(input);
  const auto tightest =
      std::max_element(p.bound_cycles.begin(), p.bound_cycles.begin() + bound_kinds);
  p.throughput_bound = 1 / *tightest;
  p.latency_cycles = input.latency.cycles;
  p.resident_warps = options[occupancy] > 0
                         ? options[occupancy]
                         : input.launch.blocks_per_sm * input.launch.warps_per_block;
  p.warp_throughput = std::min(p.resident_warps / p.latency_cycles, p.throughput_bound);
  p.needed_warps = p.latency_cycles * p.throughput_bound;
  p.limiting = p.warp_throughput < p.throughput_bound
                   ? Prediction::latency_limit
                   : static_cast<std::int16_t>(tightest - p.bound_cycles.begin());
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  const double cycles = warps / (p.warp_throughput * gpu.sms * scaling(input, options));
  p.time_ms =
      (time_of(Cycles(cycles), input.launch.clock) + to_milliseconds(input.launch.added)).value();
  p.low_ms = p.high_ms = p.time_ms;
  p.waves = input.launch.blocks / (input.launch.blocks_per_sm * gpu.sms);
  const Bytes moved(warps * input.demand.count(Count::global_bytes));
  p.memory_gbs = (moved / Milliseconds(p.time_ms)).value();
  return p;
}

std::vector<ModelNumber> GajgerModel::numbers(const ModelInput& input, const OptionValues& options,
                                              const Prediction& prediction) const {
  return {{"ins_cuda", core_instructions(input.demand)},
          {"ins_issued", issued(input, options)},
          {"gmem_bytes", input.demand.count(Count::global_bytes)},
          {"gmem_bandwidth", bandwidth(input)},
          {"lambda", scaling(input, options)},
          {"latency_bound", prediction.latency_cycles},
          {"occupancy", prediction.resident_warps},
          {"knee_warps", prediction.needed_warps}};
}

}  // namespace forewarp::model
