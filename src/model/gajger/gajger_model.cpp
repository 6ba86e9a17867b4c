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

enum Option : std::size_t {
  counts,
  latency,
  lambda,
  occupancy,
  sfu,
  fp64,
  shared,
  paths,
  cache,
  saturation,
  launch
};
enum Counts : int { text, simulated, strict };

constexpr std::array<ModelOption, 11> declared{{
    {"counts", "text|simulated|strict", "simulated",
     "issued instructions: pairs deducted once (text), never (simulated), or per execution"},
    {"latency", "thesis|strict", "thesis", "a loop's first pass counted twice, or once"},
    {"lambda", "number", "0", "scaling parameter; 0: the GPU's own (gajger.lambda), else 1",
     usual_scaling_range},
    {"occupancy", "number", "0", "warps per SM; 0: what fits", resident_range},
    {"sfu", "off|on", "off", "the special function units limit, too"},
    {"fp64", "off|on", "off", "the double precision units limit, too"},
    {"shared", "off|on", "off", "shared memory limits, too"},
    {"paths", "off|on", "off", "the busiest pipe of an SM limits, not all of its cores together"},
    {"cache", "off|on", "off", "only bytes that caches miss load the memory"},
    {"saturation", "number", "0", "k: the two modes meet as (l^-k + t^-k)^(-1/k); 0: at a corner",
     exponent_range},
    {"launch", "number", "0", "us of a launch, added to the time", {.least = 0, .most = 1e6}},
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

double bandwidth(const ModelInput& input) {
  return memory_rate_of_sm(input.gpu, input.launch.clock).value();
}

/// Cycles of a warp on the units of this name.
double unit_cycles(const ModelInput& input, std::string_view name) {
  double cycles = 0;
  for (std::size_t i = 0; i < input.resources.size(); ++i) {
    if (input.resources[i].name == name) cycles += input.demand.cycles(i);
  }
  return cycles;
}

/// Of the busiest pipe of the SM that has no term of its own.
double busiest_pipe(const ModelInput& input) {
  double most = 0;
  for (std::size_t i = 0; i < input.resources.size(); ++i) {
    const ResourceInfo& one = input.resources[i];
    const bool has_term = one.name == "sfu" || one.name == "xu" || one.name == "fp64";
    if (one.role == ResourceRole::unit && !has_term) most = std::max(most, input.demand.cycles(i));
  }
  return most;
}

/// The thesis's first limit, with the units that were switched on.
double units_bound(const ModelInput& input, const OptionValues& options) {
  const Gpu& gpu = input.gpu;
  double cycles = gpu.core_lanes > 0
                      ? gpu.limits.warp_lanes * core_instructions(input.demand) / gpu.core_lanes
                      : 0;
  if (options[paths] != 0) cycles = busiest_pipe(input);
  if (options[sfu] != 0) {
    cycles = std::max({cycles, unit_cycles(input, "sfu"), unit_cycles(input, "xu")});
  }
  if (options[fp64] != 0) cycles = std::max(cycles, unit_cycles(input, "fp64"));
  if (options[shared] != 0) {
    cycles = std::max(cycles, unit_cycles(input, resource_name(ResourceRole::shared_memory).name));
  }
  return cycles;
}

double memory_bytes(const ModelInput& input, const OptionValues& options) {
  if (options[cache] == 0) return input.demand.count(Count::global_bytes);
  return input.demand.count(Count::read_bytes) + input.demand.count(Count::write_bytes);
}

/// Two rates, the smaller of which counts; both together the less, the nearer they are.
double meeting(double a, double b, double k) {
  if (!(k > 0) || !std::isfinite(a) || !std::isfinite(b)) return std::min(a, b);
  const double low = std::min(a, b);
  return low * std::pow(1 + std::pow(low / std::max(a, b), k), -1 / k);
}

double scaling(const ModelInput& input, const OptionValues& options) {
  return options[lambda] > 0 ? options[lambda] : fact(input.gpu, "gajger.lambda", 1);
}

}  // namespace

BytesPerCycle memory_rate_of_sm(const Gpu& gpu, Megahertz clock) {
  const BytesPerCycle of_sm = per_cycle(GigabytesPerSecond(gpu.memory.theory_gbs), gpu.sms * clock);
  return BytesPerCycle(fact(gpu, "gajger.gmem_bytes_per_cycle_sm", of_sm.value()));
}

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
  p.bound_cycles[cores] = units_bound(input, options);
  p.bound_cycles[issue] = gpu.schedulers > 0 ? issued(input, options) / gpu.schedulers : 0;
  p.bound_cycles[memory] = memory_bytes(input, options) / bandwidth(input);
  const auto tightest =
      std::max_element(p.bound_cycles.begin(), p.bound_cycles.begin() + bound_kinds);
  p.throughput_bound = 1 / *tightest;
  p.latency_cycles = input.latency.cycles;
  p.resident_warps = options[occupancy] > 0
                         ? options[occupancy]
                         : input.launch.blocks_per_sm * input.launch.warps_per_block;
  const double hidden = p.resident_warps / p.latency_cycles;
  p.warp_throughput = meeting(hidden, p.throughput_bound, options[saturation]);
  p.needed_warps = p.latency_cycles * p.throughput_bound;
  p.limiting = hidden < p.throughput_bound
                   ? Prediction::latency_limit
                   : static_cast<std::int16_t>(tightest - p.bound_cycles.begin());
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  const double cycles = warps / (p.warp_throughput * gpu.sms * scaling(input, options));
  p.time_ms = (time_of(Cycles(cycles), input.launch.clock) +
               to_milliseconds(input.launch.added + Microseconds(options[launch])))
                  .value();
  p.low_ms = p.high_ms = p.time_ms;
  p.waves = waves_of(input, input.launch.blocks_per_sm);
  const Bytes moved(warps * memory_bytes(input, options));
  p.memory_gbs = (moved / Milliseconds(p.time_ms)).value();
  return p;
}

std::vector<ModelNumber> GajgerModel::numbers(const ModelInput& input, const OptionValues& options,
                                              const Prediction& prediction) const {
  return {
      {"ins_cuda", core_instructions(input.demand)}, {"ins_issued", issued(input, options)},
      {"gmem_bytes", memory_bytes(input, options)},  {"gmem_bandwidth", bandwidth(input)},
      {"lambda", scaling(input, options)},           {"latency_bound", prediction.latency_cycles},
      {"occupancy", prediction.resident_warps},      {"knee_warps", prediction.needed_warps}};
}

}  // namespace forewarp::model
