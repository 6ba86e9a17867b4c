// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/reasons.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "result/labels.h"

namespace forewarp::comparison {
namespace {

constexpr double same_figure = 0.01;   // share within which two other figures are
constexpr double main_share = 0.2;     // of the change of time: named in the answer
constexpr double stall_shift = 0.05;   // of a warp's time
constexpr double many_waves = 20;      // the last one matters no more
constexpr std::size_t most_named = 2;  // factors in the answer
constexpr std::size_t most_classes = 3;

std::string times(double ratio) {
  return "x" + significant(ratio, 3);
}

bool differs(double a, double b) {
  return std::fabs(a - b) > same_figure * std::max(std::fabs(a), std::fabs(b));
}

std::string from_to(double a, double b, const std::string& unit = {}) {
  return significant(a, 4) + " -> " + significant(b, 4) + (unit.empty() ? "" : " " + unit);
}

/// Counts and bytes of a whole grid: "1.588 G".
std::string amount(double value) {
  constexpr std::pair<double, const char*> steps[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, letter] : steps) {
    if (std::fabs(value) >= unit) return significant(value / unit, 4) + letter;
  }
  return significant(value, 4);
}

std::string moved(double a, double b) {
  return b > a ? "rises" : "falls";
}

/// Whether its figure moved the other way: what grew beside it hides in the factor, so that it is
/// no cause. Clocks, bandwidths, SMs and occupancy make a launch faster when they grow.
bool contradicts(const TimeFactor& factor) {
  constexpr std::string_view slower[] = {"latency", "traffic", "work", "copies"};
  const bool amount =
      factor.unit == TimeFactor::bound_unit ||
      std::find(std::begin(slower), std::end(slower), factor.id) != std::end(slower);
  return amount && differs(factor.before, factor.after) &&
         (factor.after > factor.before) != (factor.factor > 1);
}

std::string factor_text(const TimeFactor& factor) {
  std::string text = factor.label;
  if (factor.vanishes()) {
    text += " " + significant(factor.before, 4) + " " + factor.unit + " -> no longer a limit";
  } else if (factor.appears()) {
    text += " no limit before -> " + significant(factor.after, 4) + " " + factor.unit;
  } else if (!factor.unit.empty()) {
    text += " " + from_to(factor.before, factor.after, factor.unit);
  }
  return text + " (time " + times(factor.factor) + ")";
}

/// What the intervals say of the difference.
std::string sure_text(const Comparison& c) {
  const auto range = [](const Result& r) {
    return significant(r.interval_ms[0], 3) + " .. " + significant(r.interval_ms[1], 3);
  };
  const std::string ranges = " (A " + range(c.a) + ", B " + range(c.b) + " ms)";
  if (c.sure == "clear") return "clear: the intervals of the two times lie apart" + ranges;
  if (c.sure == "likely") return "likely: one time lies outside the other's interval" + ranges;
  if (c.sure.empty()) return "";
  return "uncertain: each time lies within the other's interval" + ranges +
         "; where both predictions err alike, the difference may still hold";
}

std::string gpus_of(const Comparison& c) {
  const auto name = [](const Result& r) { return r.gpu.name.empty() ? r.gpu.id : r.gpu.name; };
  return name(c.a) == name(c.b) ? name(c.a) : name(c.b) + " against " + name(c.a);
}

double throughput(const Result& result) {
  return result.bounds.empty() ? 0 : 1 / result.bounds.front().cycles_per_warp;
}

std::string needed_short(const Comparison& c) {
  const double a = c.a.occupancy.needed_warps, b = c.b.occupancy.needed_warps;
  if (a <= 0 || b <= 0) return "needed occupancy is not said by the model";
  if (!differs(a, b)) return "needed occupancy stays " + significant(b, 3) + " warps per SM";
  return "needed occupancy " + moved(a, b) + " from " + significant(a, 3) + " to " +
         significant(b, 3) + " warps per SM";
}

/// needed = latency * throughput bound: the factor that is farther from 1 moved it.
std::string needed_reason(const Comparison& c) {
  if (!differs(c.a.occupancy.needed_warps, c.b.occupancy.needed_warps)) return needed_short(c);
  const double latency = c.b.latency.cycles / c.a.latency.cycles;
  const double rate = throughput(c.b) / throughput(c.a);
  const bool by_rate = std::fabs(std::log(rate)) >= std::fabs(std::log(latency));
  return needed_short(c) + ": it is latency times throughput bound, latency " + times(latency) +
         " (" + from_to(c.a.latency.cycles, c.b.latency.cycles, "cycles") + "), throughput bound " +
         times(rate) + " (" + from_to(throughput(c.a), throughput(c.b), "warps per cycle") +
         "); the " + (by_rate ? "throughput" : "latency") + " moves it";
}

std::string bound_reason(const Comparison& c) {
  const Result::Bound &a = c.a.bounds.front(), &b = c.b.bounds.front();
  if (a.resource == b.resource) {
    if (!differs(a.cycles_per_warp, b.cycles_per_warp)) return "";
    return "the tightest bound stays " + a.label + ": " +
           from_to(a.cycles_per_warp, b.cycles_per_warp, "cycles per warp");
  }
  return "the tightest bound of A is " + a.label + " (" + significant(a.cycles_per_warp) +
         " cycles per warp), of B " + b.label + " (" + significant(b.cycles_per_warp) + ")";
}

std::string hidden_reason(const Comparison& c) {
  const bool a = c.a.occupancy.latency_hidden, b = c.b.occupancy.latency_hidden;
  const auto with = [](const Result& r) {
    return std::to_string(r.occupancy.warps_per_sm) + " warps of " +
           significant(r.occupancy.needed_warps, 3) + " needed";
  };
  if (a == b) return "";
  return std::string(a ? "A" : "B") + " hides its latency (" + with(a ? c.a : c.b) + "), " +
         (a ? "B" : "A") + " does not (" + with(a ? c.b : c.a) + ")";
}

std::string occupancy_reason(const Comparison& c) {
  const auto &a = c.a.occupancy, &b = c.b.occupancy;
  if (a.warps_per_sm == b.warps_per_sm) return "";
  return "occupancy " + moved(a.warps_per_sm, b.warps_per_sm) + " from " +
         std::to_string(a.warps_per_sm) + " (limited by " + join(a.limiter, " and ") + ") to " +
         std::to_string(b.warps_per_sm) + " warps per SM (" + join(b.limiter, " and ") + ")";
}

std::string waves_reason(const Comparison& c) {
  const double a = c.a.occupancy.waves, b = c.b.occupancy.waves;
  if (!differs(a, b) || std::min(a, b) > many_waves) return "";
  const auto filled = [](double waves) {
    return significant(100 * waves / std::ceil(waves), 3) + " %";
  };
  return "waves " + from_to(a, b) + ": with whole ones counted they are filled to " + filled(a) +
         " and " + filled(b);
}

std::string instruction_reason(const Comparison& c) {
  const double a = c.a.profile.warp_instructions, b = c.b.profile.warp_instructions;
  std::map<std::string, double> changes;
  for (const auto& [name, count] : c.b.profile.by_class) changes[name] += count;
  for (const auto& [name, count] : c.a.profile.by_class) changes[name] -= count;
  std::vector<std::pair<std::string, double>> list(changes.begin(), changes.end());
  std::erase_if(list, [&](const auto& change) {
    return std::fabs(change.second) <= same_figure * std::max(a, b);
  });
  if (list.empty()) return "";
  std::stable_sort(list.begin(), list.end(), [](const auto& x, const auto& y) {
    return std::fabs(x.second) > std::fabs(y.second);
  });
  if (list.size() > most_classes) list.resize(most_classes);
  std::vector<std::string> parts;
  for (const auto& [name, change] : list) {
    parts.push_back(name + (change > 0 ? " +" : " ") + amount(change));
  }
  return "warp instructions " + amount(a) + " -> " + amount(b) + ": " + join(parts, ", ");
}

std::string traffic_reason(const Comparison& c) {
  const Result::Profile &a = c.a.profile, &b = c.b.profile;
  std::vector<std::string> parts;
  const auto add = [&](const char* name, double x, double y, const char* unit = "") {
    if (!differs(x, y)) return;
    parts.push_back(std::string(name) + " " + amount(x) + " -> " + amount(y) + unit);
  };
  add("device memory read", a.dram_read_bytes, b.dram_read_bytes, " bytes");
  add("written", a.dram_write_bytes, b.dram_write_bytes, " bytes");
  add("sectors loaded", a.global_load_sectors, b.global_load_sectors);
  add("stored", a.global_store_sectors, b.global_store_sectors);
  add("wavefronts of shared memory", a.shared_wavefronts, b.shared_wavefronts);
  add("L1 hit rate", a.l1_hit_rate, b.l1_hit_rate);
  add("L2 hit rate", a.l2_hit_rate, b.l2_hit_rate);
  return parts.empty() ? "" : "traffic: " + join(parts, ", ");
}

std::string stall_reason(const Comparison& c) {
  std::map<std::string, std::pair<double, double>> shares;
  for (const auto& [name, share] : c.a.stalls) shares[name].first = share;
  for (const auto& [name, share] : c.b.stalls) shares[name].second = share;
  const auto shift = [](const auto& entry) {
    return std::fabs(entry.second.second - entry.second.first);
  };
  const auto most =
      std::max_element(shares.begin(), shares.end(),
                       [&](const auto& x, const auto& y) { return shift(x) < shift(y); });
  if (most == shares.end() || shift(*most) < stall_shift) return "";
  const std::string label = stall_label(c.a.stalls.contains(most->first) ? c.a : c.b, most->first);
  return "share of a warp's time that goes to " + label + ": " +
         from_to(100 * most->second.first, 100 * most->second.second, "%");
}

}  // namespace

std::string answer_of(const Comparison& c) {
  if (!c.compared()) return "no comparison: " + (c.a.error ? c.a.error : c.b.error)->line();
  const std::string both = " on " + gpus_of(c) + " (" + from_to(c.a.time_ms, c.b.time_ms, "ms") +
                           (c.sure.empty() ? "" : "; " + c.sure) + ")";
  std::string text = std::fabs(c.ratio - 1) <= same_time ? "B takes as long as A" + both
                     : c.ratio > 1
                         ? "B is " + significant(c.ratio, 3) + "x slower than A" + both
                         : "B is " + significant(1 / c.ratio, 3) + "x faster than A" + both;
  const double change = std::log(c.ratio);
  std::vector<std::string> named;
  for (const TimeFactor& factor : c.factors) {
    const double own = std::log(factor.factor);
    if (std::fabs(c.ratio - 1) <= same_time || named.size() >= most_named) break;
    if (own / change < main_share || contradicts(factor)) continue;
    named.push_back(factor_text(factor));
  }
  if (!named.empty()) text += ": " + join(named, ", ");
  return text + "; " + needed_short(c);
}

std::vector<std::string> reasons_of(const Comparison& c) {
  if (!c.compared()) return {};
  std::vector<std::string> list;
  if (!c.a.bounds.empty() && !c.b.bounds.empty() && c.a.latency.cycles > 0) {
    list = {needed_reason(c), bound_reason(c)};
  }
  for (std::string& sentence :
       std::vector<std::string>{hidden_reason(c), occupancy_reason(c), waves_reason(c),
                                instruction_reason(c), traffic_reason(c), stall_reason(c)}) {
    list.push_back(std::move(sentence));
  }
  list.push_back(sure_text(c));
  std::erase(list, "");
  return list;
}

}  // namespace forewarp::comparison
