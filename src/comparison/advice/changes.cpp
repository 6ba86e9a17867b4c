// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/advice/changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "comparison/advice/amounts.h"

namespace forewarp::comparison {
namespace {

constexpr std::size_t most_told = 3;

/// A figure before and after, and what to call it: "16 sectors per request instead of 31.8".
struct Figure {
  std::string name;
  double now = 0, then = 0;
  bool more_is_better = false;
  const char* unit = "";

  /// How many times better; 1 where it is not.
  [[nodiscard]] double gain() const {
    const double less = more_is_better ? now : then, more = more_is_better ? then : now;
    if (more <= 0 || less > more || !apart(less, more)) return 1;
    return less > 0 ? more / less : HUGE_VAL;
  }
};

double blocks_of(const Result& result) {
  const auto& grid = result.launch.grid;
  return double{1} * grid[0] * grid[1] * grid[2];
}

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/// Warps that an SM has at a time where the blocks are spread evenly.
double resident_warps(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  const double each = std::ceil(ratio(blocks_of(result), result.gpu.sms));
  return ratio(occupancy.warps_per_sm, occupancy.blocks_per_sm) *
         std::min<double>(each, occupancy.blocks_per_sm);
}

/// Sums over accesses to global memory.
struct Global {
  double requests = 0, sectors = 0;
};

Global global_of(const Result& result) {
  Global sum;
  for (const Result::Execution::Access& access : result.execution.accesses) {
    if (access.space != "global" && access.space != "generic") continue;
    sum.requests += access.requests;
    sum.sectors += access.sectors;
  }
  return sum;
}

std::vector<Figure> figures_of(const Result& now, const Result& then) {
  const Result::Profile &a = now.profile, &b = then.profile;
  const Global before = global_of(now), after = global_of(then);
  const auto used = [](const Result& result) {
    return std::min<double>(blocks_of(result), result.gpu.sms);
  };
  // A launch of one wave or less has no last wave to fill: the SMs in use say what it leaves.
  const auto waves = [](const Result& result) {
    const double wave = double{1} * result.occupancy.blocks_per_sm * result.gpu.sms;
    return std::max(1.0, ratio(blocks_of(result), wave));
  };
  return {
      {"of " + std::to_string(now.gpu.sms) + " SMs in use", used(now), used(then), true},
      {"warps at a time on an SM", resident_warps(now), resident_warps(then), true},
      {"waves", waves(now), waves(then)},
      {"sectors per request", ratio(before.sectors, before.requests),
       ratio(after.sectors, after.requests)},
      {"requests to global memory", before.requests, after.requests},
      {"passes through the banks of shared memory", a.shared_wavefronts, b.shared_wavefronts},
      {"warp instructions", a.warp_instructions, b.warp_instructions},
      {"sectors of local memory", a.local_sectors, b.local_sectors},
      {"to and from device memory", a.dram_read_bytes + a.dram_write_bytes,
       b.dram_read_bytes + b.dram_write_bytes, false, "B"},
  };
}

/// The tightest limit, if it is less tight afterwards.
std::vector<Figure> limit_of(const Result& now, const Result& then) {
  if (now.bounds.empty()) return {};
  const Result::Bound& limit = now.bounds.front();
  for (const Result::Bound& bound : then.bounds) {
    if (bound.resource != limit.resource) continue;
    return {{"ms of " + limit.label, limit.time_ms, bound.time_ms}};
  }
  return {};
}

std::string told(std::vector<Figure> figures) {
  std::erase_if(figures, [](const Figure& figure) { return figure.gain() == 1; });
  std::ranges::stable_sort(figures, std::ranges::greater{}, &Figure::gain);
  figures.resize(std::min(figures.size(), most_told));
  std::string text;
  for (const Figure& figure : figures) {
    if (!text.empty()) text += ", ";
    text += amount_text(figure.then, figure.unit) + " " + figure.name + " instead of " +
            amount_text(figure.now, figure.unit);
  }
  return text;
}

}  // namespace

std::string changes(const Result& now, const Result& then) {
  const std::string counted = told(figures_of(now, then));
  return counted.empty() ? told(limit_of(now, then)) : counted;
}

}  // namespace forewarp::comparison
