// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "alteration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "hardware/schema.h"
#include "request/argument_text.h"

namespace forewarp::cli {
namespace {

/// Numbers that addresses or warps are divided by, or that are known of a technology; other values
/// are no GPU.
constexpr std::array<std::string_view, 14> shaping{
    "line_bytes", "sector_bytes", "fetch_bytes", "word_bytes",     "bank_bytes",
    "page_bytes", "banks",        "lanes",       "schedulers",     "request_bytes",
    "data_rate",  "clock_mhz",    "bus_bits",    "interval_cycles"};
/// Limits of launches, numbers that follow from others, and those that only mean something
/// together: the parts of a fitted curve, the slices of L2 and its halves.
constexpr std::array<std::string_view, 9> others{
    "limits.",   "power.",        "energy.",           "memory.segments.", "memory.contention_",
    "l2.slice_", "l2.partitions", "memory.theory_gbs", "l2.latency_far"};

template <typename Field>
constexpr bool is_bool_member = false;
template <typename Class>
constexpr bool is_bool_member<bool Class::*> = true;

bool is_switch(std::string_view path) {
  for (const hardware::SchemaRow& row : hardware::schema()) {
    if (row.path == path) {
      return std::visit([]<typename Field>(const Field&) { return is_bool_member<Field>; },
                        row.field);
    }
  }
  return path.ends_with(".variable") || path.ends_with(".use_control_words");
}

bool is_shaping(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('.') + 1);
  return std::ranges::find(shaping, name) != shaping.end();
}

bool is_latency(std::string_view path) {
  return path.ends_with(".latency") || path.ends_with(".latency_cycles");
}

/// From 0.7 to 1.4, equally often on both sides of 1; the standard's distributions differ between
/// libraries.
double factor_from(std::mt19937_64& random) {
  constexpr double least = 0.7, most = 1.4;
  const double share = static_cast<double>(random() >> 11) / 9007199254740992.0;  // 2^53
  return least * std::pow(most / least, share);
}

}  // namespace

double scaled_fact(const Alteration& change, double factor) {
  const auto& [path, unit, value, to] = change;
  const double scaled = value * factor;
  const bool countable = (unit != "cycles" || is_latency(path)) && unit != "MHz" &&
                         unit != "GB/s" && unit != "us" && unit != "1/cycle" && unit != "B/cycle";
  const bool whole = countable && value == std::floor(value);
  if (unit == "bytes") {
    constexpr double granule = 1024;
    return value >= 2 * granule ? std::round(scaled / granule) * granule : std::round(scaled);
  }
  if (!whole) return unit == "1" && value <= 1 && factor > 1 ? value / factor : scaled;
  const double rounded = std::max(1.0, std::round(scaled));
  if (rounded != value) return rounded;
  return factor > 1 ? value + 1 : std::max(1.0, value - 1);
}

std::vector<Alteration> alterable(const Gpu& gpu) {
  std::vector<Alteration> found;
  for (const auto& [path, fact] : gpu.facts) {
    if (!fact.text.empty() || !fact.values.empty() || fact.value <= 0) continue;
    const bool left = std::ranges::any_of(
        others, [&](std::string_view prefix) { return path.starts_with(prefix); });
    if (left || is_switch(path) || is_shaping(path)) continue;
    found.push_back({path, fact.unit, fact.value, fact.value});
  }
  return found;
}

namespace {

/// Cycles of an SM for an instruction, as short as its schedulers can feed a unit; a unit that is
/// faster would be seen by nobody.
bool outruns_issue(const Gpu& gpu, const Alteration& change) {
  if (!change.path.starts_with("class.") || !change.path.ends_with(".cycles")) return false;
  return change.to * gpu.schedulers < gpu.issue_interval;
}

/// Cycles of a class's unit for one instruction of one of the schedulers, with what is changed so
/// far.
double unit_cycles(const Gpu& gpu, const std::string& of_class,
                   const std::vector<Alteration>& changes) {
  const std::string path = of_class + ".cycles";
  const auto changed = std::ranges::find(changes, path, &Alteration::path);
  if (changed != changes.end()) return changed->to * gpu.schedulers;
  const auto fact = gpu.facts.find(path);
  return fact == gpu.facts.end() ? 0 : fact->second.value * gpu.schedulers;
}

/// Where a result would be there before its unit has taken all lanes, and was not so before: a
/// chain would show the unit's cycles, and nobody the latency. It comes after them.
void follow_unit(const Gpu& gpu, const std::vector<Alteration>& changes, double factor,
                 Alteration& change) {
  constexpr std::string_view name = ".latency";
  if (!change.path.starts_with("class.") || !change.path.ends_with(name)) return;
  const std::string of_class = change.path.substr(0, change.path.size() - name.size());
  const double cycles = unit_cycles(gpu, of_class, changes);
  if (change.to >= cycles || change.from < unit_cycles(gpu, of_class, {})) return;
  change.to = std::ceil(cycles * std::max(factor, 1 / factor));
}

/// What L2 gives an SM is its share of what the slices give all of them, and slices stay as they
/// are: together the SMs get no more than before.
void share_slices(const Gpu& gpu, std::vector<Alteration>& changes) {
  const auto count = std::ranges::find(changes, "sm.count", &Alteration::path);
  const double more = count == changes.end() ? 1 : count->to / gpu.sms;
  for (Alteration& change : changes) {
    if (change.path != "l2.read_bytes" && change.path != "l2.write_bytes") continue;
    const double share = change.from / more;
    const double factor = change.to / change.from;
    if (change.to > share) change.to = share * std::min(factor, 1 / factor);
  }
}

}  // namespace

std::vector<Alteration> altered(const Gpu& gpu, std::uint64_t seed, const Accepts& accepts) {
  std::mt19937_64 random(seed);
  std::vector<Alteration> kept;
  for (Alteration change : alterable(gpu)) {
    const double factor = factor_from(random);
    change.to = scaled_fact(change, factor);
    if (outruns_issue(gpu, change)) change.to = scaled_fact(change, 1 / factor);
    follow_unit(gpu, kept, factor, change);
    if (change.to == change.from) continue;
    kept.push_back(change);
    if (!accepts(overrides_of(kept))) kept.pop_back();
  }
  share_slices(gpu, kept);
  return kept;
}

std::vector<FactOverride> overrides_of(const std::vector<Alteration>& changes) {
  std::vector<FactOverride> all;
  for (const Alteration& change : changes) all.push_back({change.path, exact_text(change.to)});
  return all;
}

std::string alteration_text(const std::vector<Alteration>& changes, std::uint64_t seed) {
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
  for (const Alteration& change : changes) {
    facts[change.path] = {{"from", change.from}, {"to", change.to}, {"unit", change.unit}};
  }
  return nlohmann::ordered_json{{"seed", seed}, {"facts", facts}}.dump(2) + "\n";
}

}  // namespace forewarp::cli
