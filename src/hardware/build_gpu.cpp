// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/text.h"
#include "hardware/access_check.h"
#include "hardware/capability.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

std::optional<std::uint32_t> whole(double value) {
  if (!(value >= 0) || value > std::numeric_limits<std::uint32_t>::max() ||
      value != std::floor(value)) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(value);
}

Diagnostic not_whole(std::string_view path, const Fact& fact) {
  return {place_in_file(fact.file, fact.line),
          "'" + std::string(path) + "' is " + significant(fact.value),
          "a whole number that is not negative", ""};
}

/// The part of the record that `Group` names; Gpu is the record itself.
template <class Group>
Group& group_in(Gpu& gpu) {
  if constexpr (std::is_same_v<Group, Gpu>) return gpu;
  if constexpr (std::is_same_v<Group, SmLimits>) return gpu.limits;
  if constexpr (std::is_same_v<Group, L1Facts>) return gpu.l1;
  if constexpr (std::is_same_v<Group, L2Facts>) return gpu.l2;
  if constexpr (std::is_same_v<Group, MemoryFacts>) return gpu.memory;
  if constexpr (std::is_same_v<Group, AtomicFacts>) return gpu.atomic;
  if constexpr (std::is_same_v<Group, TensorFacts>) return gpu.tensor;
  if constexpr (std::is_same_v<Group, QueueFacts>) return gpu.queue;
  if constexpr (std::is_same_v<Group, CopyFacts>) return gpu.copy;
  if constexpr (std::is_same_v<Group, ClusterFacts>) return gpu.cluster;
  if constexpr (std::is_same_v<Group, ConstantFacts>) return gpu.constant;
  if constexpr (std::is_same_v<Group, FetchFacts>) return gpu.fetch;
  if constexpr (std::is_same_v<Group, PowerFacts>) return gpu.power;
  if constexpr (std::is_same_v<Group, EnergyFacts>) return gpu.energy;
}

/// Writes facts to the fields that the schema names.
class FieldWriter {
 public:
  FieldWriter(Gpu& gpu, const SchemaRow& row, const Fact& fact)
      : gpu_(gpu), row_(row), fact_(fact) {}

  Expected<void> operator()(std::monostate) const { return {}; }
  template <class Group>
  Expected<void> operator()(double Group::*field) const {
    group_in<Group>(gpu_).*field = fact_.value;
    return {};
  }
  template <class Group>
  Expected<void> operator()(bool Group::*field) const {
    group_in<Group>(gpu_).*field = fact_.value != 0;
    return {};
  }
  Expected<void> operator()(std::string Gpu::*field) const {
    gpu_.*field = fact_.text;
    return {};
  }
  template <class Group>
  Expected<void> operator()(std::uint32_t Group::*field) const {
    return set_whole(group_in<Group>(gpu_).*field);
  }
  Expected<void> operator()(std::array<std::uint32_t, 3> SmLimits::*field) const {
    auto& target = gpu_.limits.*field;
    for (std::size_t i = 0; i < target.size(); ++i) {
      const auto number =
          fact_.values.size() == target.size() ? whole(fact_.values[i]) : std::nullopt;
      if (!number || *number == 0) {
        return Diagnostic{place_in_file(fact_.file, fact_.line),
                          "'" + std::string(row_.path) + "' has no three whole numbers above zero",
                          "[x, y, z]", ""};
      }
      target[i] = *number;
    }
    return {};
  }
  Expected<void> operator()(std::vector<std::uint32_t> SmLimits::*field) const {
    for (const double value : fact_.values) {
      const auto number = whole(value);
      if (!number) return not_whole(row_.path, fact_);
      (gpu_.limits.*field).push_back(*number);
    }
    return {};
  }

 private:
  Expected<void> set_whole(std::uint32_t& target) const {
    const auto number = whole(fact_.value);
    if (!number) return not_whole(row_.path, fact_);
    target = *number;
    return {};
  }

  Gpu& gpu_;
  const SchemaRow& row_;
  const Fact& fact_;
};

/// Shares that cannot exceed 1, unlike those that compare two rates.
bool is_part(std::string_view path) {
  constexpr std::array<std::string_view, 3> parts{"tensor.clock_share", "l2.dirty_share",
                                                  "l2.part_share"};
  return std::find(parts.begin(), parts.end(), path) != parts.end();
}

Expected<void> write_row(Gpu& gpu, const SchemaRow& row, const Facts& facts) {
  const auto found = facts.find(row.path);
  if (found == facts.end()) {
    if (row.presence == Presence::optional) return {};
    const auto name = facts.find("name");
    return Diagnostic{name == facts.end() ? "" : name->second.file,
                      "'" + std::string(row.path) + "' is missing and no rule fills it",
                      "a number in " + std::string(row.unit), "see docs/data.md"};
  }
  const Fact& fact = found->second;
  if (auto fine = check_fact(row.path, fact, {}); !fine) return fine;
  const bool number = fact.kind == FactKind::number;
  if (number && (fact.value < 0 || (row.presence == Presence::positive && fact.value == 0))) {
    return Diagnostic{place_in_file(fact.file, fact.line),
                      "'" + std::string(row.path) + "' is " + significant(fact.value),
                      row.presence == Presence::positive ? "a number above zero"
                                                         : "a number that is not negative",
                      ""};
  }
  // Larger numbers are impossible, and tables of that size would exhaust memory.
  constexpr double most_number = 1e18, most_on_chip = 1e10, most_sms = 1e4;
  const bool on_chip = row.unit == "bytes" && !row.path.starts_with("memory.");
  const double most = is_part(row.path)        ? 1
                      : row.path == "sm.count" ? most_sms
                      : on_chip                ? most_on_chip
                                               : most_number;
  constexpr double least_number = 1e-12, least_mhz = 1;
  const double least = row.unit == "MHz" ? least_mhz : least_number;
  if (number && fact.value > 0 && fact.value < least) {
    return Diagnostic{place_in_file(fact.file, fact.line),
                      "'" + std::string(row.path) + "' is " + significant(fact.value),
                      "at least " + significant(least, 2) + " " + std::string(row.unit), ""};
  }
  if (number && !(fact.value <= most)) {
    return Diagnostic{place_in_file(fact.file, fact.line),
                      "'" + std::string(row.path) + "' is " + significant(fact.value),
                      "at most " + significant(most, 2) + " " + std::string(row.unit), ""};
  }
  return std::visit(FieldWriter(gpu, row, fact), row.field);
}

/// The facts whose path begins with `prefix`, in order.
auto family(const Facts& facts, std::string_view prefix) {
  auto first = facts.lower_bound(prefix);
  auto last = first;
  while (last != facts.end() && std::string_view(last->first).starts_with(prefix)) ++last;
  return std::pair(first, last);
}

bool is_in_schema(std::string_view path) {
  const auto rows = schema();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const SchemaRow& row) { return row.path == path; });
}

void write_classes(Gpu& gpu) {
  constexpr std::string_view prefix = "class.";
  const auto [first, last] = family(gpu.facts, prefix);
  for (auto it = first; it != last; ++it) {
    const std::string_view rest = std::string_view(it->first).substr(prefix.size());
    const std::size_t dot = rest.find('.');
    ClassTiming& timing = gpu.classes[std::string(rest.substr(0, dot))];
    const std::string_view part = rest.substr(dot + 1);
    if (part == "pipe") timing.pipe = it->second.text;
    if (part == "cycles") timing.cycles = it->second.value;
    if (part == "latency") timing.latency = it->second.value;
    if (part == "variable") timing.variable = it->second.value != 0;
    if (part.starts_with("also.")) timing.also.emplace_back(part.substr(5), it->second.value);
  }
}

void write_rule(LatencyRules& rules, std::string_view part, double value) {
  if (part == "use_control_words") rules.use_control_words = value != 0;
  if (part == "ilp") rules.ilp = value;
  if (part == "store_ilp") rules.store_ilp = value;
  if (part == "branch_taken") rules.branch_taken = value;
  if (part == "branch_not_taken") rules.branch_not_taken = value;
  if (part == "guarded_exit") rules.guarded_exit = value;
  if (part == "barrier") rules.barrier = value;
  if (part == "replacement") rules.replacement = value;
  if (part.starts_with("load_gap.")) rules.load_gaps.push_back(value);
  if (part.starts_with("latency.")) rules.latency[std::string(part.substr(8))] = value;
}

/// "other" applies to each class that a set does not name, except memory accesses, which go by
/// their space ("global", "shared", "local", "constant").
void expand_other(LatencyRules& rules, const Gpu& gpu) {
  const auto other = rules.latency.find("other");
  if (other == rules.latency.end()) return;
  const double value = other->second;
  rules.latency.erase(other);
  static constexpr std::array<std::string_view, 8> memory = {
      "load_", "store_", "atomic_", "reduction_", "async_", "surface_", "texture", "cache_"};
  for (const auto& [name, timing] : gpu.classes) {
    const auto starts = [&name = name](std::string_view s) { return name.starts_with(s); };
    if (std::none_of(memory.begin(), memory.end(), starts)) rules.latency.emplace(name, value);
  }
}

void write_rules(Gpu& gpu) {
  constexpr std::string_view prefix = "rules.";
  gpu.rules.emplace_back().name = "default";
  const auto [first, last] = family(gpu.facts, prefix);
  for (auto it = first; it != last; ++it) {
    const std::string_view rest = std::string_view(it->first).substr(prefix.size());
    const std::size_t dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    auto set = std::find_if(gpu.rules.begin(), gpu.rules.end(),
                            [&](const LatencyRules& r) { return r.name == name; });
    if (set == gpu.rules.end()) {
      gpu.rules.emplace_back().name = name;
      set = gpu.rules.end() - 1;
    }
    write_rule(*set, rest.substr(dot + 1), it->second.value);
  }
  for (LatencyRules& set : gpu.rules) expand_other(set, gpu);
}

void write_energies(Gpu& gpu) {
  constexpr std::string_view prefix = "energy.";
  const auto [first, last] = family(gpu.facts, prefix);
  for (auto it = first; it != last; ++it) {
    if (is_in_schema(it->first)) continue;
    gpu.energy.classes.emplace(it->first.substr(prefix.size()), it->second.value);
  }
}

void write_segments(Gpu& gpu) {
  for (std::size_t i = 0;; ++i) {
    const std::string prefix = "memory.segments." + std::to_string(i);
    const auto bytes = gpu.facts.find(prefix + ".bytes");
    const auto gbs = gpu.facts.find(prefix + ".gbs");
    if (bytes == gpu.facts.end() || gbs == gpu.facts.end()) return;
    const double share = gpu.number(prefix + ".reached_share", gpu.memory.mixed_share);
    gpu.memory.segments.emplace_back(bytes->second.value, gbs->second.value * share);
  }
}

}  // namespace

Expected<SmLimits> build_limits(const Facts& facts) {
  Gpu gpu;
  for (const SchemaRow& row : schema()) {
    if (!row.path.starts_with("limits.")) continue;
    if (auto done = write_row(gpu, row, facts); !done) return std::move(done).error();
  }
  return gpu.limits;
}

Expected<Gpu> build_gpu(Facts facts) {
  Gpu gpu;
  for (const SchemaRow& row : schema()) {
    if (row.path.starts_with("limits.")) continue;
    if (auto done = write_row(gpu, row, facts); !done) return done.error();
  }
  if (auto done = check_access_facts(facts); !done) return done.error();
  auto limits = build_limits(facts);
  if (!limits) return std::move(limits).error();
  gpu.limits = *std::move(limits);
  const auto capability = parse_capability(facts.find("cc")->second.text);
  if (!capability) return capability.error();
  gpu.cc = *capability;
  gpu.facts = std::move(facts);
  write_classes(gpu);
  write_rules(gpu);
  write_energies(gpu);
  write_segments(gpu);
  return gpu;
}

}  // namespace forewarp::hardware
