// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mwp_cwp_probabilistic/probabilistic_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/mix_equations.h"
#include "model/mwp_cwp_probabilistic/latency_distribution.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { equations, spread };
enum Equations : int { hong_kim, gpuperf };

constexpr std::string_view assumed_spread = "the spread of memory latency is assumed, not measured";

constexpr std::array<ModelOption, 2> declared{{
    {"equations", "hong-kim|gpuperf", "hong-kim", "which model's equations"},
    {"spread",
     "number",
     "0.1",
     "of memory's latency to either side of its mean, where the GPU's own was not measured",
     {.least = 0, .most = 1, .below = true}},
}};

/// Quantiles over the mean at little and at much traffic, and the probability that each stands for.
struct QuantileFact {
  std::string_view low, high;
  double probability;
};
constexpr std::array<QuantileFact, 5> quantiles{{
    {"model.mwp-cwp-probabilistic.low.q05", "model.mwp-cwp-probabilistic.high.q05", 0.15},
    {"model.mwp-cwp-probabilistic.low.q25", "model.mwp-cwp-probabilistic.high.q25", 0.225},
    {"model.mwp-cwp-probabilistic.low.q50", "model.mwp-cwp-probabilistic.high.q50", 0.25},
    {"model.mwp-cwp-probabilistic.low.q75", "model.mwp-cwp-probabilistic.high.q75", 0.225},
    {"model.mwp-cwp-probabilistic.low.q95", "model.mwp-cwp-probabilistic.high.q95", 0.15},
}};

bool is_measured(const Gpu& gpu) {
  return gpu.number(quantiles.front().low) > 0;
}

/// Share of the bandwidth that the warps would use if only their latency held them back.
double memory_load(const WarpMix& mix) {
  const double latency = mix.latency();
  return latency > 0 ? std::min(1.0, mix.warps * mix.sustained_cycles / latency) : 0;
}

/// Latency of device memory alone, scaled to mean 1.
Atoms memory_latency(const ModelInput& in, const WarpMix& mix, double relative_spread) {
  Atoms atoms;
  if (is_measured(in.gpu)) {
    const double load = memory_load(mix);
    for (const QuantileFact& q : quantiles) {
      const double low = in.gpu.number(q.low);
      atoms.add(low + load * (in.gpu.number(q.high, low) - low), q.probability);
    }
    atoms.normalise();
  } else if (relative_spread > 0) {
    constexpr double third = 1.0 / 3;
    atoms.add(1 - relative_spread, third);
    atoms.add(1, third);
    atoms.add(1 + relative_spread, third);
  } else {
    atoms.add(1, 1);
  }
  return atoms;
}

/// Latency of one access over the mean of all: each level with its share and its latency.
Atoms access_latency(const ModelInput& in, const WarpMix& mix, double relative_spread) {
  const Atoms memory = memory_latency(in, mix, relative_spread);
  const double loads = in.demand.count(Count::load_requests);
  // Hits also include requests of stores and atomics, but the shares must not exceed all loads.
  const double cached = in.demand.count(Count::l1_requests) + in.demand.count(Count::l2_requests);
  const double all_of = std::max(loads, cached);
  const double l1 = loads > 0 ? in.demand.count(Count::l1_requests) / all_of : 0;
  const double l2 = loads > 0 ? in.demand.count(Count::l2_requests) / all_of : 0;
  if (l1 + l2 <= 0 || mix.memory_latency <= 0) return memory;
  Atoms all;
  all.add(in.gpu.l1.latency / mix.memory_latency, l1);
  all.add(in.gpu.l2.latency / mix.memory_latency, l2);
  for (const Atom& atom : memory.all())
    all.add(atom.value, atom.probability * std::max(0.0, 1 - l1 - l2));
  all.normalise();
  return all;
}

/// Cycles of an SM per warp when an access takes `latency` cycles.
double cycles_at(const WarpMix& mix, double latency, double blocks_per_sm,
                 const OptionValues& options) {
  if (static_cast<int>(options[equations]) == gpuperf) {
    GpuPerfInput in = gpu_perf_input(mix);
    in.memory_latency = latency;
    return gpu_perf(in).total / mix.warps;
  }
  MwpCwpInput in = mwp_cwp_input(mix, blocks_per_sm);
  if (mix.memory > 0) in.memory_latency = latency;
  return mwp_cwp(in).total / mix.warps;
}

double accesses_in_a_row(const ModelInput& in, const WarpMix& mix) {
  const double resident = mix.warps * std::max(1.0, mix.active_sms);
  const double rounds = in.launch.blocks * in.launch.warps_per_block / resident;
  return std::max(1.0, mix.memory * std::max(1.0, rounds));
}

/// Smallest latency over the mean: a normal distribution's tail reaches 0, which no access does.
constexpr double least_ratio = 1e-6;

/// Distribution of the SM cycles per warp.
Atoms times(const ModelInput& in, const WarpMix& mix, const OptionValues& options) {
  const Atoms one = access_latency(in, mix, options[spread]);
  const double draws = accesses_in_a_row(in, mix);
  const Atoms means = draws <= exact_draws
                          ? mean_of_draws(one, static_cast<int>(std::lround(draws)))
                          : normal_mean(one, draws);
  Atoms result;
  for (const Atom& atom : means.all()) {
    const double latency = mix.access_latency * std::max(least_ratio, atom.value);
    result.add(cycles_at(mix, latency, in.launch.blocks_per_sm, options), atom.probability);
  }
  return result;
}

}  // namespace

std::span<const ModelOption> ProbabilisticModel::options() const {
  return declared;
}

MixTime ProbabilisticModel::time(const ModelInput& input, const WarpMix& mix,
                                 const OptionValues& options) const {
  Atoms cycles = times(input, mix, options);
  MixTime time = mix_time(cycles.mean());
  time.low = cycles.quantile(0.05);
  time.high = cycles.quantile(0.95);
  if (!is_measured(input.gpu) && options[spread] > 0) time.why = assumed_spread;
  return time;
}

std::vector<ModelNumber> ProbabilisticModel::figures(const ModelInput& input, const WarpMix& mix,
                                                     const OptionValues& options) const {
  Atoms cycles = times(input, mix, options);
  const Atoms one = access_latency(input, mix, options[spread]);
  return {{"accesses_in_a_row", accesses_in_a_row(input, mix)},
          {"latency_deviation", std::sqrt(one.variance()) * mix.access_latency},
          {"cycles_mean", cycles.mean(), true},
          {"cycles_5", cycles.quantile(0.05), true},
          {"cycles_50", cycles.quantile(0.5), true},
          {"cycles_95", cycles.quantile(0.95), true}};
}

}  // namespace forewarp::model
