// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/time_factors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace forewarp::comparison {
namespace {

constexpr double no_change = 1e-6;    // change of a factor that is rounding only
constexpr std::size_t of_models = 2;  // bounds that a model adds: device memory, block launch

/// Parts that are exchanged one at a time; resources follow from `first_resource` on.
enum Part : std::size_t {
  clock_rate,
  sm_count,
  memory_rate,
  chip,
  launch_cost,
  work,
  block_size,
  occupancy,
  latency,
  traffic,
  other_counts,
  copying,
  first_resource
};

struct PartName {
  const char *id, *label, *unit;
};
constexpr PartName part_names[first_resource] = {
    {"clock", "SM clock", "MHz"},
    {"sms", "number of SMs", "SMs"},
    {"memory_rate", "bandwidth of device memory", "GB/s"},
    {"chip", "the rest of the chip", ""},
    {"launch", "launch overhead", ""},
    {"work", "amount of work", "typical warps"},
    {"block", "block size", "warps per block"},
    {"occupancy", "occupancy", "warps per SM"},
    {"latency", "latency of a warp", "cycles"},
    {"traffic", "device memory traffic", "bytes per warp"},
    {"counts", "other counts", ""},
    {"copies", "copies between host and device", "ms"}};

/// The numbers of one side that can be exchanged.
struct Side {
  const Gpu* gpu = nullptr;
  Demand demand;
  WarpLatency latency;
  LaunchShape launch;
  double pairs = 0;
  std::vector<ResourceScope> scopes;
  double latency_cycles = 0, dram_cycles = 0;  ///< of its own prediction
  double copies_ms = 0;                        ///< of copies before and after the kernel

  [[nodiscard]] double warps() const { return launch.blocks * launch.warps_per_block; }
  [[nodiscard]] double resident() const { return launch.blocks_per_sm * launch.warps_per_block; }
  [[nodiscard]] double bytes() const {
    return demand.count(Count::read_bytes) + demand.count(Count::write_bytes);
  }
};

class Exchange {
 public:
  Exchange(const Evaluation& a, const ModelRun& run_a, const Evaluation& b, const ModelRun& run_b)
      : evaluation_(a), run_(run_a) {
    run_.uneven = nullptr;
    name_resources(a);
    name_resources(b);
    name_units();
    sides_[0] = side(a, run_a);
    sides_[1] = side(b, run_b);
  }

  [[nodiscard]] bool fits() const {
    return resources_.size() + of_models <= Prediction::max_bounds;
  }
  [[nodiscard]] std::size_t parts() const { return first_resource + units_.size(); }
  [[nodiscard]] const ResourceInfo& unit(std::size_t part) const {
    return units_[part - first_resource];
  }
  /// Cycles per warp of the tightest resource of a part, or of device memory for `traffic`.
  [[nodiscard]] double bound(std::size_t part, std::size_t s) const {
    if (part == traffic) return sides_[s].dram_cycles;
    double most = 0;
    for (std::size_t r = 0; r < resources_.size(); ++r) {
      if (part_of(r) == part) most = std::max(most, sides_[s].demand.cycles(r));
    }
    return most;
  }
  [[nodiscard]] const Side& of(std::size_t s) const { return sides_[s]; }

  /// The time when the marked parts have B's values.
  [[nodiscard]] double time_ms(const std::vector<bool>& taken) const {
    const Gpu gpu = gpu_of(taken);
    Demand demand = demand_of(taken);
    std::vector<ResourceInfo> resources = resources_;
    for (std::size_t r = 0; r < resources.size(); ++r) {
      const bool from_b = taken[part_of(r)];
      demand.cycles(r) = sides_[from_b].demand.cycles(r);
      resources[r].scope = sides_[from_b].scopes[r];
    }
    const Demand own = evaluation_.demand;
    ModelInput input = model_input(evaluation_, run_, own).with(gpu, resources, demand);
    input.latency = sides_[taken[latency]].latency;
    input.static_dual_pairs = sides_[taken[other_counts]].pairs;
    input.launch = launch_of(taken);
    return predict_run(run_, input).time_ms + sides_[taken[copying]].copies_ms;
  }

 private:
  void name_resources(const Evaluation& evaluation) {
    const Demand demand = evaluation.demand;
    const auto& own = resources_of(evaluation);
    for (std::size_t r = 0; r < own.size(); ++r) {
      if (demand.cycles(r) > 0 && index_of(own[r].name) == resources_.size()) {
        resources_.push_back(own[r]);
      }
    }
  }

  /// All register ports count as one unit.
  [[nodiscard]] static std::string unit_name(const ResourceInfo& info) {
    const bool bank = info.role == ResourceRole::registers;
    return bank ? std::string(resource_name(info.role).name) : info.name;
  }

  void name_units() {
    for (const ResourceInfo& info : resources_) {
      const std::string name = unit_name(info);
      const bool known = std::any_of(units_.begin(), units_.end(),
                                     [&](const ResourceInfo& unit) { return unit.name == name; });
      if (known) continue;
      const bool bank = info.role == ResourceRole::registers;
      units_.push_back(bank ? ResourceInfo(info.role, info.scope) : info);
    }
  }

  [[nodiscard]] std::size_t part_of(std::size_t resource) const {
    const std::string name = unit_name(resources_[resource]);
    const auto found = std::find_if(units_.begin(), units_.end(),
                                    [&](const ResourceInfo& unit) { return unit.name == name; });
    return first_resource + static_cast<std::size_t>(found - units_.begin());
  }

  [[nodiscard]] std::size_t index_of(const std::string& name) const {
    const auto found = std::find_if(resources_.begin(), resources_.end(),
                                    [&](const ResourceInfo& info) { return info.name == name; });
    return static_cast<std::size_t>(found - resources_.begin());
  }

  [[nodiscard]] Side side(const Evaluation& evaluation, const ModelRun& run) const {
    const Demand& own = evaluation.demand;
    const ModelInput input = model_input(evaluation, run, own);
    const Prediction& prediction = run.prediction;
    Side side;
    side.gpu = evaluation.launch->gpu.get();
    side.demand = Demand(resources_.size());
    side.latency = input.latency;
    side.launch = input.launch;
    side.pairs = input.static_dual_pairs;
    side.latency_cycles = prediction.latency_cycles;
    side.copies_ms = evaluation.copies.milliseconds();
    const std::vector<ResourceInfo> bounds = run.model->bounds(resources_of(evaluation));
    for (std::size_t i = 0; i < prediction.bound_count && i < bounds.size(); ++i) {
      if (bounds[i].role == ResourceRole::device_memory)
        side.dram_cycles = prediction.bound_cycles[i];
    }
    for (const ResourceInfo& info : resources_) side.scopes.push_back(info.scope);
    for (std::size_t c = 0; c < count_kinds; ++c) {
      side.demand.count(static_cast<Count>(c)) = own.count(static_cast<Count>(c));
    }
    for (std::size_t c = 0; c < class_kinds; ++c) {
      const auto kind = static_cast<InstructionClass>(c);
      side.demand.of_class(kind) = own.of_class(kind);
    }
    const auto& infos = resources_of(evaluation);
    for (std::size_t r = 0; r < infos.size(); ++r) {
      const std::size_t place = index_of(infos[r].name);
      if (place == resources_.size()) continue;
      side.demand.cycles(place) = own.cycles(r);
      side.scopes[place] = infos[r].scope;
    }
    return side;
  }

  [[nodiscard]] Gpu gpu_of(const std::vector<bool>& taken) const {
    Gpu gpu = *sides_[taken[chip]].gpu;
    const Gpu& memory = *sides_[taken[memory_rate]].gpu;
    gpu.memory.theory_gbs = memory.memory.theory_gbs;
    gpu.memory.read_share = memory.memory.read_share;
    gpu.memory.write_share = memory.memory.write_share;
    gpu.memory.mixed_share = memory.memory.mixed_share;
    gpu.memory.place_ns = memory.memory.place_ns;
    gpu.memory.bus_bits = memory.memory.bus_bits;
    gpu.memory.channel_bits = memory.memory.channel_bits;
    gpu.memory.contention_first = memory.memory.contention_first;
    gpu.memory.contention_read = memory.memory.contention_read;
    gpu.memory.contention_mixed = memory.memory.contention_mixed;
    gpu.memory.contention_read_share = memory.memory.contention_read_share;
    gpu.memory.contention_mixed_share = memory.memory.contention_mixed_share;
    gpu.sms = sides_[taken[sm_count]].gpu->sms;
    const Gpu& launch = *sides_[taken[launch_cost]].gpu;
    gpu.block_launch_interval = launch.block_launch_interval;
    gpu.block_turnaround = launch.block_turnaround;
    gpu.warp_launch_cycles = launch.warp_launch_cycles;
    return gpu;
  }

  [[nodiscard]] Demand demand_of(const std::vector<bool>& taken) const {
    Demand demand = sides_[taken[other_counts]].demand;
    const Demand& bytes = sides_[taken[traffic]].demand;
    for (const Count c :
         {Count::read_bytes, Count::write_bytes, Count::local_device_bytes, Count::device_places}) {
      demand.count(c) = bytes.count(c);
    }
    return demand;
  }

  /// Warps, warps per block and resident warps are exchanged one by one; the number of blocks
  /// follows.
  [[nodiscard]] LaunchShape launch_of(const std::vector<bool>& taken) const {
    LaunchShape shape = sides_[taken[block_size]].launch;
    const double per_block = shape.warps_per_block;
    if (taken[block_size] != taken[work]) shape.blocks = sides_[taken[work]].warps() / per_block;
    if (taken[block_size] != taken[occupancy]) {
      shape.blocks_per_sm = sides_[taken[occupancy]].resident() / per_block;
    }
    shape.clock = sides_[taken[clock_rate]].launch.clock;
    shape.added = sides_[taken[launch_cost]].launch.added;
    shape.stretches = sides_[taken[memory_rate]].launch.stretches;
    return shape;
  }

  const Evaluation& evaluation_;
  ModelRun run_;  ///< for blocks that are alike: those of one grid say nothing of another
  std::vector<ResourceInfo> resources_;  ///< resources that either side uses
  std::vector<ResourceInfo> units_;      ///< the same, grouped by unit
  Side sides_[2];
};

/// Adds half the logarithm of each part's factor when the parts are exchanged in this order.
void add_logs(const Exchange& exchange, const std::vector<std::size_t>& order,
              std::vector<double>& logs) {
  std::vector<bool> taken(exchange.parts(), false);
  double before = exchange.time_ms(taken);
  for (const std::size_t part : order) {
    taken[part] = true;
    const double after = exchange.time_ms(taken);
    if (after > 0 && before > 0) logs[part] += std::log(after / before) / 2;
    before = after;
  }
}

/// The order of exchange: plain parts, then bounds; in reverse, bounds, then plain parts backwards.
/// Of bounds that fall the tightest comes last, of those that rise it comes first: then the limit
/// that was taken away, or that was added, has the effect, and none that it hides. What rises comes
/// before what falls, and in the reverse order after it.
std::vector<std::size_t> bounds_in_order(const Exchange& exchange, bool reverse) {
  std::vector<std::size_t> rising, falling;
  for (std::size_t p = 0; p < exchange.parts(); ++p) {
    if (p != traffic && p < first_resource) continue;
    (exchange.bound(p, 1) > exchange.bound(p, 0) ? rising : falling).push_back(p);
  }
  std::ranges::stable_sort(rising, std::greater{},
                           [&](std::size_t p) { return exchange.bound(p, 1); });
  std::ranges::stable_sort(falling, {}, [&](std::size_t p) { return exchange.bound(p, 0); });
  std::vector<std::size_t>& first = reverse ? falling : rising;
  const std::vector<std::size_t>& second = reverse ? rising : falling;
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<std::size_t> order_of(const Exchange& exchange, bool reverse) {
  std::vector<std::size_t> plain, bounds = bounds_in_order(exchange, reverse);
  for (std::size_t p = 0; p < exchange.parts(); ++p) {
    if (p != traffic && p < first_resource) plain.push_back(p);
  }
  if (reverse) std::reverse(plain.begin(), plain.end());
  std::vector<std::size_t>& first = reverse ? bounds : plain;
  const std::vector<std::size_t>& second = reverse ? plain : bounds;
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

double rate_gbs(const Side& side) {
  const Gpu& gpu = *side.gpu;
  const double read = side.demand.count(Count::read_bytes);
  const double written = side.demand.count(Count::write_bytes);
  return gpu.memory.theory_gbs * (written == 0 ? gpu.memory.read_share
                                  : read == 0  ? gpu.memory.write_share
                                               : gpu.memory.mixed_share);
}

double value_of(const Exchange& exchange, std::size_t part, std::size_t s) {
  const Side& side = exchange.of(s);
  switch (part) {
    case clock_rate:
      return side.launch.clock.value();
    case sm_count:
      return side.gpu->sms;
    case memory_rate:
      return rate_gbs(side);
    case work:
      return side.warps();
    case block_size:
      return side.launch.warps_per_block;
    case occupancy:
      return side.resident();
    case latency:
      return side.latency_cycles;
    case traffic:
      return side.bytes();
    case copying:
      return side.copies_ms;
    default:
      return part >= first_resource ? exchange.bound(part, s) : 0;
  }
}

double whole_ms(const Evaluation& evaluation, const ModelRun& run) {
  return run.prediction.time_ms + evaluation.copies.milliseconds();
}

/// Runs whose inputs can be exchanged. A simulation follows instructions and ignores exchanged
/// counts: a closed form that was run beside it on both sides gives each part's factor, and what
/// only the simulation sees is the rest.
std::pair<const ModelRun*, const ModelRun*> exchangeable(const Evaluation& a, const ModelRun& run_a,
                                                         const Evaluation& b,
                                                         const ModelRun& run_b) {
  if (!run_a.model->simulates()) return {&run_a, &run_b};
  for (const ModelRun& closed : a.runs) {
    if (closed.model->simulates() || !closed.caveat.empty()) continue;
    for (const ModelRun& other : b.runs) {
      const bool same = other.model->name() == closed.model->name() && other.caveat.empty();
      if (same && whole_ms(a, closed) > 0 && whole_ms(b, other) > 0) return {&closed, &other};
    }
  }
  return {&run_a, &run_b};
}

TimeFactor factor_of(const Exchange& exchange, std::size_t part, double log) {
  TimeFactor factor;
  factor.factor = std::exp(log);
  factor.before = value_of(exchange, part, 0);
  factor.after = value_of(exchange, part, 1);
  if (part >= first_resource) {
    factor.id = exchange.unit(part).name;
    factor.label = exchange.unit(part).label;
    factor.unit = "cycles per warp";
  } else {
    factor.id = part_names[part].id;
    factor.label = part_names[part].label;
    factor.unit = part_names[part].unit;
  }
  return factor;
}

}  // namespace

std::vector<TimeFactor> time_factors(const Evaluation& a, const ModelRun& run_a,
                                     const Evaluation& b, const ModelRun& run_b) {
  std::vector<TimeFactor> factors;
  const auto [by_a, by_b] = exchangeable(a, run_a, b, run_b);
  const Exchange exchange(a, *by_a, b, *by_b);
  if (!exchange.fits()) return factors;
  std::vector<double> logs(exchange.parts(), 0);
  add_logs(exchange, order_of(exchange, false), logs);
  add_logs(exchange, order_of(exchange, true), logs);
  for (std::size_t p = 0; p < logs.size(); ++p) {
    if (std::fabs(logs[p]) > no_change) factors.push_back(factor_of(exchange, p, logs[p]));
  }
  // The rest is what exchanged numbers do not explain: a different model for B, or what a
  // simulation sees of the code beyond its counts.
  const double start = exchange.time_ms(std::vector<bool>(exchange.parts(), false));
  const double reached = exchange.time_ms(std::vector<bool>(exchange.parts(), true));
  if (by_a != &run_a) {
    for (TimeFactor& factor : factors) {
      if (factor.id == part_names[latency].id) factor.label += ", in the closed form";
    }
  }
  const double before = whole_ms(a, run_a), after = whole_ms(b, run_b);
  const double rest = after * start / (before * reached);
  if (reached > 0 && before > 0 && rest > 0 && std::fabs(std::log(rest)) > no_change) {
    const bool same = run_a.model->name() == run_b.model->name();
    factors.push_back(
        {same ? "order" : "model",
         same ? "how the code is ordered and waits, as simulated" : "another model for B", rest, 0,
         0, ""});
  }
  std::stable_sort(factors.begin(), factors.end(), [](const auto& x, const auto& y) {
    return std::fabs(std::log(x.factor)) > std::fabs(std::log(y.factor));
  });
  return factors;
}

}  // namespace forewarp::comparison
