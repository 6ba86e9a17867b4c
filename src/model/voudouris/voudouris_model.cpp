// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/voudouris/voudouris_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantities.h"
#include "binding/bind_timing.h"
#include "model/aggregate_time.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { which, preset };
enum Case : int { average, best, worst };
enum Preset : int { table7, h1 };

constexpr std::array<ModelOption, 2> declared{{
    {"case", "ac|bc|wc", "ac", "average, best or worst case; the range is always best to worst"},
    {"preset", "table7|h1", "table7",
     "cycles per class: as published, or those that give the published predictions"},
}};

/// Names of a fact in the two presets; the second falls back to the first.
struct FactPair {
  std::string_view plain, h1;
};
constexpr FactPair dependent{"model.voudouris.dep_cycles", "model.voudouris.h1.dep_cycles"};
constexpr FactPair independent{"model.voudouris.ind_cycles", "model.voudouris.h1.ind_cycles"};
constexpr FactPair shared_load{"model.voudouris.lds_cycles", "model.voudouris.h1.lds_cycles"};
constexpr FactPair shared_store{"model.voudouris.sts_cycles", "model.voudouris.h1.sts_cycles"};
constexpr FactPair store{"model.voudouris.st_cycles", "model.voudouris.h1.st_cycles"};
constexpr FactPair load_best{"model.voudouris.ld_best", "model.voudouris.h1.ld_best"};
constexpr FactPair load_average{"model.voudouris.ld_cycles", "model.voudouris.h1.ld_cycles"};
constexpr FactPair load_worst{"model.voudouris.ld_worst", "model.voudouris.h1.ld_worst"};

AggregateCycles cycles_of(const Gpu& gpu, const OptionValues& options) {
  const bool second = static_cast<int>(options[preset]) == h1;
  const auto at = [&](const FactPair& fact) {
    const double plain = gpu.number(fact.plain);
    return second ? gpu.number(fact.h1, plain) : plain;
  };
  return {at(dependent), at(independent), at(shared_load),  at(shared_store),
          at(store),     at(load_best),   at(load_average), at(load_worst)};
}

AggregateCounts counts_of(const Demand& demand) {
  using enum InstructionClass;
  AggregateCounts counts;
  counts.shared_loads = demand.of_class(load_shared);
  counts.shared_stores = demand.of_class(store_shared);
  counts.loads =
      demand.of_class(load_global) + demand.of_class(load_generic) + demand.of_class(load_local);
  counts.stores =
      demand.of_class(store_global) + demand.of_class(store_generic) + demand.of_class(store_local);
  counts.dependent = demand.count(Count::dependent);
  counts.independent =
      std::max(0.0, demand.count(Count::instructions) - counts.dependent - counts.shared_loads -
                        counts.shared_stores - counts.loads - counts.stores);
  return counts;
}

/// Share of the loads' latency that the warp's own instructions fill.
double hidden_share(const ModelInput& in, const AggregateCounts& counts) {
  const double latency = memory_latencies(in.gpu, in.launch.clock).global;
  if (counts.loads <= 0 || latency <= 0) return 0;
  return std::clamp(1 - in.latency.memory_cycles / (counts.loads * latency), 0.0, 1.0);
}

AggregateTime time_of(const ModelInput& in, const OptionValues& options) {
  const AggregateCounts counts = counts_of(in.demand);
  const AggregateCycles cycles = cycles_of(in.gpu, options);
  return aggregate_time(counts, cycles,
                        counts.loads * cycles.load_average * hidden_share(in, counts));
}

double blocks_on_sm(const ModelInput& in) {
  return std::min(in.launch.blocks_per_sm, std::ceil(in.launch.blocks / in.gpu.sms));
}

std::string_view why_not(const ModelInput& in) {
  const Demand& demand = in.demand;
  const double most = in.gpu.number("model.voudouris.warps");
  if (most <= 0) return "its GPU's files hold no cycles per class";
  if (blocks_on_sm(in) * in.launch.warps_per_block > most) {
    return "more warps on an SM than leave its schedulers no choice";
  }
  if (in.launch.blocks > in.gpu.sms) return "several blocks on an SM";
  if (demand.count(Count::barriers) > 0) return "barriers";
  if (demand.of_class(InstructionClass::atomic_global) +
          demand.of_class(InstructionClass::atomic_shared) +
          demand.of_class(InstructionClass::reduction_global) >
      0) {
    return "atomics";
  }
  constexpr double nearly = 1 - 1e-9;
  if (demand.count(Count::shared_wavefronts) * nearly > demand.count(Count::shared_instructions)) {
    return "bank conflicts";
  }
  const double lanes = demand.count(Count::instructions) * in.gpu.limits.warp_lanes;
  if (demand.count(Count::thread_instructions) < lanes * nearly) return "divergent warps";
  return {};
}

}  // namespace

std::span<const ModelOption> VoudourisModel::options() const {
  return declared;
}

std::vector<ResourceInfo> VoudourisModel::bounds(std::span<const ResourceInfo> resources) const {
  (void)resources;
  return {};
}

Prediction VoudourisModel::predict(const ModelInput& input, const OptionValues& options) const {
  const AggregateTime time = time_of(input, options);
  const std::array<double, 3> cases{time.average, time.best, time.worst};
  Prediction p;
  p.latency_cycles = cases[static_cast<std::size_t>(options[which])];
  const double rounds = std::ceil(input.launch.blocks / (blocks_on_sm(input) * input.gpu.sms));
  const Milliseconds each = time_of(Cycles(rounds), input.launch.clock);
  const Milliseconds added = to_milliseconds(input.launch.added);
  p.time_ms = (p.latency_cycles * each + added).value();
  p.low_ms = (time.best * each + added).value();
  p.high_ms = (time.worst * each + added).value();
  p.waves = rounds;
  p.resident_warps = blocks_on_sm(input) * input.launch.warps_per_block;
  if (p.latency_cycles > 0) p.warp_throughput = p.resident_warps / p.latency_cycles;
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  if (p.time_ms > 0) {
    const Bytes moved(warps * input.demand.count(Count::global_bytes));
    p.memory_gbs = (moved / Milliseconds(p.time_ms)).value();
  }
  p.why = why_not(input);
  p.applies = p.why.empty();
  return p;
}

std::vector<ModelNumber> VoudourisModel::numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const {
  (void)prediction;
  const AggregateCounts counts = counts_of(input.demand);
  const AggregateTime time = time_of(input, options);
  return {{"dependent", counts.dependent, true},
          {"independent", counts.independent, true},
          {"shared_loads", counts.shared_loads, true},
          {"shared_stores", counts.shared_stores, true},
          {"loads", counts.loads, true},
          {"stores", counts.stores, true},
          {"hidden_cycles", time.hidden, true},
          {"best_cycles", time.best, true},
          {"average_cycles", time.average, true},
          {"worst_cycles", time.worst, true}};
}

}  // namespace forewarp::model
