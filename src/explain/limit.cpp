// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "base/text.h"
#include "hardware/resource_role.h"
#include "result/labels.h"

namespace forewarp::explain {
namespace {

constexpr double same_bound = 0.02;  // bounds within 2 % of the tightest are named with it
constexpr double tied_bound = 0.05;  // units so near to the tightest one limit together with it
constexpr double tied_gain = 0.05;   // of the time: what is less names nothing while a unit is full

std::string percent_of_time(double share) {
  return significant(100 * share, 2) + " %";
}

Result::LimitedBy limit_by_unit(const Result& result, const Result::Bound& unit) {
  Result::LimitedBy limit{
      unit.resource, unit.share,
      unit.label + ": " + counted(unit.cycles_per_warp, 4) + " cycles per warp and SM"};
  std::size_t told = 0;
  for (const Result::Bound& other : result.bounds) {
    if (&other == &unit) continue;
    const double ratio = other.cycles_per_warp / unit.cycles_per_warp;
    if (told >= 2 && ratio < 1 - same_bound) break;
    limit.sentence += "; " + other.label + " " +
                      std::to_string(static_cast<int>(std::lround(100 * ratio))) + " % of that";
    ++told;
  }
  if (limit.share >= explains_time) return limit;
  limit.sentence += "; no bound explains the time: alone this one would take " +
                    percent_of_time(limit.share) +
                    " of it, the rest is latency, launching and units in turn";
  return limit;
}

/// `which`: the latency's name for readers.
Result::LimitedBy limit_by_latency(const Prediction& first, std::string_view which) {
  Result::LimitedBy limit{"latency", 1, std::string(which) + ": "};
  const std::string alone = "a warp alone takes " + counted(first.latency_cycles, 4) + " cycles";
  const bool enough = first.resident_warps >= first.needed_warps;
  if (first.waves < 1 && enough) {
    limit.sentence += "the grid is smaller than one wave, " + alone;
    return limit;
  }
  if (first.warp_throughput > 0)
    limit.share =
        std::min(1.0, first.resident_warps / first.latency_cycles / first.warp_throughput);
  limit.sentence += alone + " and " + counted(first.resident_warps, 3) + " resident warps per SM ";
  if (enough) {
    limit.sentence += "hide only a part of it";
    return limit;
  }
  limit.sentence += "do not hide it (" + counted(first.needed_warps, 3) + " would)";
  return limit;
}

/// The tightest bound of that name; all banks of the registers are one unit. Null: there is none.
const Result::Bound* unit_named(const Result& result, const std::string& name) {
  const bool bank = role_of_resource(name) == ResourceRole::registers;
  for (const Result::Bound& bound : result.bounds) {
    if (bound.resource == name || (bank && bound.resource.starts_with(name))) return &bound;
  }
  return nullptr;
}

/// The one thing that, made free, brings the most; null: nothing does.
const Result::Counterfactual* best_alone(const Result& result) {
  const Result::Counterfactual* best = nullptr;
  for (const Result::Counterfactual& row : result.counterfactuals) {
    if (row.free.size() != 1 || row.free.front().starts_with("perfect")) continue;
    if (best == nullptr || row.ratio < best->ratio) best = &row;
  }
  return best;
}

/// Of the units about as tight as the tightest, the first that computes or moves data.
const Result::Bound& working_unit(const Result& result) {
  const Result::Bound& tightest = result.bounds.front();
  for (const Result::Bound& bound : result.bounds) {
    if (bound.cycles_per_warp < (1 - tied_bound) * tightest.cycles_per_warp) break;
    const ResourceRole role = role_of_resource(bound.resource);
    if (role != ResourceRole::issue && role != ResourceRole::fetch) return bound;
  }
  return tightest;
}

/// Whether another unit is so much tighter that this one cannot be called the limit.
bool is_looser(const Result& result, const Result::Bound& unit) {
  return unit.cycles_per_warp < (1 - tied_bound) * result.bounds.front().cycles_per_warp;
}

/// How unevenly the grid's blocks lie on the SMs.
std::string shares_sentence(const Result& result, double blocks) {
  const double sms = result.gpu.sms;
  const std::string grid =
      counted(blocks, 6) + (blocks == 1 ? " block on " : " blocks on ") + counted(sms, 4) + " SMs";
  if (blocks < sms) return "SMs without work: " + grid;
  const std::string uneven = "uneven shares over SMs and waves: " + grid;
  if (result.occupancy.waves <= 1) {
    const double fewer = std::floor(blocks / sms);
    const double more = std::round(blocks - fewer * sms);
    return uneven + ", " + counted(more, 4) + (more == 1 ? " of them has " : " of them have ") +
           counted(fewer + 1, 4) + " and the others " + counted(fewer, 4);
  }
  const double whole = std::floor(result.occupancy.waves);
  return uneven + ", " + counted(whole, 4) + (whole == 1 ? " whole wave" : " whole waves") +
         " and a last one that fills " + percent_of_time(result.occupancy.waves - whole) +
         " of their places";
}

struct LatencyName {
  std::string_view id, name;
};

constexpr std::array<LatencyName, 4> latencies{{{"memory_latency", "latency of memory"},
                                                {"arithmetic_latency", "latency of arithmetic"},
                                                {"shared_latency", "latency of shared memory"},
                                                {"occupancy", "latency"}}};

}  // namespace

Result::LimitedBy limit_of_model(const Prediction& first, const Result& result) {
  if (first.limiting == Prediction::latency_limit || result.bounds.empty())
    return limit_by_latency(first, "latency");
  return limit_by_unit(result, result.bounds.front());
}

std::optional<Result::LimitedBy> limit_of_what_ifs(const Prediction& first, const Result& result,
                                                   double blocks) {
  const Result::Counterfactual* best = best_alone(result);
  if (best == nullptr) return std::nullopt;
  const std::string& id = best->free.front();
  const double gain = 1 - best->ratio;
  const bool full = !result.bounds.empty() && result.bounds.front().share >= explains_time;
  if (full && gain < tied_gain) return limit_by_unit(result, working_unit(result));
  if (const Result::Bound* unit = unit_named(result, id)) {
    Result::LimitedBy limit = limit_by_unit(result, *unit);
    if (!is_looser(result, *unit)) return limit;
    if (gain < tied_gain) {
      const std::string& own = result.limited_by.resource;  // "order", the link of copies
      if (!own.empty() && unit_named(result, own) == nullptr) return std::nullopt;
      return limit_by_latency(first, "latency");
    }
    limit.sentence += "; busier units overlap with it, and this one, made free, brings the most";
    return limit;
  }
  for (const LatencyName& latency : latencies) {
    if (latency.id == id) return limit_by_latency(first, latency.name);
  }
  const std::string brings = ": without, the launch would take " + percent_of_time(best->ratio);
  if (id == "uneven_shares") {
    return Result::LimitedBy{id, gain,
                             shares_sentence(result, blocks) +
                                 "; evenly spread, the launch would take " +
                                 percent_of_time(best->ratio)};
  }
  if (id == "launch" || id == "barriers")
    return Result::LimitedBy{id, gain, best->label + brings + " of its time"};
  return std::nullopt;
}

}  // namespace forewarp::explain
