// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gpuperf/gpuperf_model.h"

#include <algorithm>
#include <array>

#include "binding/access_space.h"
#include "model/mix_equations.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { form, departure, barrier_factor };
enum Form : int { volkov, full };

constexpr std::string_view no_divergence = "cost of divergent control flow is unknown: taken as 0";

constexpr std::array<ModelOption, 3> declared{{
    {"form", "volkov|full", "volkov",
     "volkov: reached bandwidth, waits of the path, no serial terms; full: all terms"},
    {"departure", "number", "0",
     "cycles between two transactions; 0: in full that of the data (model.gpuperf.departure), else "
     "none",
     cycles_range},
    {"barrier_factor",
     "number",
     "0",
     "full: the machine's cost of barriers; 0: that of the data (model.gpuperf.barrier_factor)",
     {.least = 0, .most = 1e6}},
}};

bool is_full(const OptionValues& options) {
  return static_cast<int>(options[form]) == full;
}

double given_or(double given, double otherwise) {
  return given > 0 ? given : otherwise;
}

/// Mean latency of the arithmetic that the warp executes, each class by itself.
double arithmetic_latency(const ModelInput& in, const WarpMix& mix) {
  double count = 0;
  double sum = 0;
  for (std::size_t c = 0; c < class_kinds; ++c) {
    const auto kind = static_cast<InstructionClass>(c);
    const double times = in.demand.of_class(kind);
    if (times <= 0 || access_space(kind) != AccessSpace::none) continue;
    const auto found = in.gpu.classes.find(class_name(kind));
    if (found == in.gpu.classes.end() || found->second.latency <= 0) continue;
    count += times;
    sum += times * found->second.latency;
  }
  return count > 0 ? sum / count : mix.instruction_latency;
}

/// Latency of the loads by the level that serves them; a store waits for nothing.
void add_levels(const ModelInput& in, const WarpMix& mix, GpuPerfInput& sim) {
  const double loads = in.demand.count(Count::load_requests);
  if (loads <= 0) return;
  const double l1 = in.demand.count(Count::l1_requests) / loads;
  const double l2 = in.demand.count(Count::l2_requests) / loads;
  const double memory = mix.memory_latency;
  const double l2_latency = in.gpu.l2.latency > 0 ? in.gpu.l2.latency : memory;
  const double l1_latency = in.gpu.l1.latency > 0 ? in.gpu.l1.latency : l2_latency;
  sim.miss_ratio = std::max(0.0, 1 - l1 - l2);
  sim.hit_latency = l1 * l1_latency + l2 * l2_latency;
}

void fill_full(const ModelInput& in, const WarpMix& mix, const OptionValues& options,
               GpuPerfInput& sim) {
  sim.departure = given_or(options[departure], in.gpu.number("model.gpuperf.departure"));
  sim.barrier_factor =
      given_or(options[barrier_factor], in.gpu.number("model.gpuperf.barrier_factor"));
  sim.memory_latency = mix.memory_latency;
  if (mix.memory > 0) {
    sim.transactions = mix.transactions / mix.memory;
    sim.transaction_bytes = mix.pin_cycles / mix.memory;
  }
  add_levels(in, mix, sim);
  sim.barriers = mix.barriers;
  sim.special_functions = mix.special;
  if (in.gpu.limits.warp_lanes > 0) sim.sfu_lanes = in.gpu.sfu_lanes / in.gpu.limits.warp_lanes;
  const double passes =
      in.demand.count(Count::shared_wavefronts) - in.demand.count(Count::shared_instructions);
  sim.bank_cycles = mix.warps * std::max(0.0, passes) * in.gpu.shared_cycles_per_pass;
  sim.instruction_latency = arithmetic_latency(in, mix);
  if (mix.compute_wait > 0) {
    sim.ilp = std::max(1.0, sim.instruction_latency * mix.compute / mix.compute_wait);
  }
  if (mix.memory_wait > 0) {
    const double each = sim.memory_latency * sim.miss_ratio + sim.hit_latency;
    const double loads = std::min(mix.memory, in.demand.count(Count::load_requests));
    sim.mlp = std::max(1.0, each * loads / mix.memory_wait);
  }
}

GpuPerfInput inputs(const ModelInput& in, const WarpMix& mix, const OptionValues& options) {
  GpuPerfInput sim = gpu_perf_input(mix);
  sim.departure = options[departure];
  if (is_full(options)) fill_full(in, mix, options, sim);
  return sim;
}

}  // namespace

std::span<const ModelOption> GpuPerfModel::options() const {
  return declared;
}

std::string_view GpuPerfModel::beyond_mix(const OptionValues& options) const {
  return is_full(options) ? "form=full" : "";
}

MixTime GpuPerfModel::time(const ModelInput& input, const WarpMix& mix,
                           const OptionValues& options) const {
  MixTime time = mix_time(gpu_perf(inputs(input, mix, options)).total / mix.warps);
  if (is_full(options)) time.why = no_divergence;
  return time;
}

std::vector<ModelNumber> GpuPerfModel::figures(const ModelInput& input, const WarpMix& mix,
                                               const OptionValues& options) const {
  const GpuPerfTime t = gpu_perf(inputs(input, mix, options));
  return {{"itilp", t.itilp},
          {"itmlp", t.itmlp},
          {"mwp", t.mwp},
          {"cwp", t.cwp},
          {"mwp_peak_bw", t.mwp_by_bandwidth},
          {"computation_cycles", t.computation, true},
          {"memory_cycles", t.memory, true},
          {"overlap_cycles", t.overlap, true},
          {"access_latency", t.access_latency}};
}

}  // namespace forewarp::model
