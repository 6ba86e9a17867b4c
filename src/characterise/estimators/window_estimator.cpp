// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/window_estimator.h"

#include <algorithm>

#include "base/text.h"
#include "characterise/estimators/choice.h"
#include "characterise/estimators/window_pairs.h"
#include "characterise/statistics/memory_levels.h"

namespace forewarp::characterise {
namespace {

constexpr std::size_t rounds = 500;  // of the deconvolution

/// The boundary of L2 and device memory that the pairs show.
Expected<LevelBoundary> boundary_of(const NumberRow& row, const std::vector<WindowPair>& pairs) {
  if (!row.mean_below) {
    return Diagnostic{row.fact, "levels need a bound for the mean of what stays in L2",
                      "mean_below", ""};
  }
  std::vector<LoadConfig> configs;
  for (const WindowPair& pair : pairs) {
    configs.push_back(
        {pair.blocks, pair.threads_per_block, pair.free.widened, pair.misses.value_or(0)});
  }
  return level_boundary(configs, {*row.mean_below, row.misses_below.value_or(1), {}});
}

EstimatePoint point_of_part(const WindowPair& pair, const PmfPart& part) {
  return {pair.config, part.pmf.mean(), part.pmf.deviation()};
}

/// The line of the latency of device memory over the threads of the grid, valid beyond those that
/// stay in L2.
Expected<Estimate> memory_line(const NumberRow& row, std::vector<LinePoint> points, double above) {
  const auto line = fit_line(points, above, row.fact);
  if (!line) return line.error();
  Estimate made;
  made.value = line->slope;
  made.deviation = line->slope_deviation;
  if (row.part == "memory_shift") {
    made.value = line->intercept;
    made.deviation = line->intercept_deviation;
  } else if (row.part == "memory_r2") {
    made.value = line->r2;
    made.deviation = {};
  }
  made.note = "R2 " + significant(line->r2, 6) + ", " + significant(line->above, 9) +
              " < threads <= " + significant(line->up_to, 9);
  return made;
}

/// Of the part named "l1_share", "l2_share" or "memory_share".
double share_of(const LevelShares& shares, std::string_view part) {
  return part == "l1_share" ? shares.l1 : part == "l2_share" ? shares.l2 : shares.memory;
}

Expected<Estimate> level(const NumberRow& row, const std::vector<WindowPair>& pairs) {
  const auto boundary = boundary_of(row, pairs);
  if (!boundary) return boundary.error();
  const bool memory = row.part != "l2" && row.part != "l2_share";
  const bool share = row.part.ends_with("_share");
  Estimate made;
  std::vector<LinePoint> over_threads;
  double l2_only = 0;
  for (const WindowPair& pair : pairs) {
    const SplitLatency split = split_at(pair.free.widened, boundary->value);
    const auto& part = memory ? split.memory : split.l2;
    const double threads = pair.blocks * pair.threads_per_block;
    if (!split.memory) l2_only = std::max(l2_only, threads);
    if (share) {
      const LevelShares shares = level_shares(pair.free.widened, {}, boundary->value);
      made.points.push_back({pair.config, share_of(shares, row.part), {}});
      continue;
    }
    if (!part) continue;
    made.points.push_back(point_of_part(pair, *part));
    over_threads.push_back({threads, part->pmf.mean()});
  }
  if (made.points.empty()) {
    return Diagnostic{row.fact, "no configuration reached " + row.part, "", "sweep more threads"};
  }
  if (!share && row.part.starts_with("memory_")) {
    auto line = memory_line(row, std::move(over_threads), l2_only);
    if (line) line->points = std::move(made.points);
    return line;
  }
  choose(made, memory && !share ? Choice::least : Choice::mean);
  made.note += made.note.empty() ? "" : "; ";
  made.note += "boundary at " + std::to_string(boundary->value) + " cycles";
  return made;
}

/// Without loads that pass L1: what is faster than the fastest load of configurations that next to
/// never hit it.
Expected<Estimate> l1_by_hits(const NumberRow& row, const std::vector<WindowPair>& local) {
  if (!row.hits_below) {
    return Diagnostic{row.fact, "L1 of one test needs a bound for the hits of loads that miss it",
                      "hits_below, or a second test, whose loads pass L1", ""};
  }
  std::vector<HitConfig> configs;
  for (const WindowPair& pair : local) {
    if (!pair.hits) {
      return Diagnostic{row.fact, pair.test + " " + pair.config + " has no hits of L1",
                        "count/l1_local_load_hit", "add it by forewarp-bench counters"};
    }
    configs.push_back({pair.free.widened, *pair.hits});
  }
  const auto limit = fastest_miss(configs, *row.hits_below);
  if (!limit) return limit.error();
  Estimate made;
  for (const WindowPair& pair : local) {
    const auto window = l1_window(pair.free.widened, *limit);
    if (window) made.points.push_back(point_of_part(pair, window->part));
  }
  if (made.points.empty()) {
    return Diagnostic{row.fact,
                      "no configuration is faster than " + std::to_string(*limit) + " cycles",
                      "loads that hit L1", ""};
  }
  choose(made, Choice::mean);
  made.note += made.note.empty() ? "" : "; ";
  made.note += "faster than " + std::to_string(*limit) + " cycles, the fastest miss";
  return made;
}

/// The first test's loads may hit L1; the second's pass it. Shares of all levels are those of the
/// first.
Expected<Estimate> l1_level(const NumberRow& row, const Evidence& evidence) {
  const bool share = row.part.ends_with("_share");
  if (row.tests.size() > 2 || (share && row.tests.size() != 2)) {
    return Diagnostic{row.fact, row.part + " of " + std::to_string(row.tests.size()) + " tests",
                      "loads that may hit L1, then loads that pass it", ""};
  }
  const auto local = window_pairs(row, row.tests[0], evidence);
  if (!local) return local.error();
  if (row.tests.size() == 1) return l1_by_hits(row, *local);
  const auto past = window_pairs(row, row.tests[1], evidence);
  if (!past) return past.error();
  const auto boundary = boundary_of(row, *past);
  if (!boundary) return boundary.error();
  Estimate made;
  for (const WindowPair& pair : *local) {
    const auto same = std::find_if(past->begin(), past->end(), [&](const WindowPair& other) {
      return other.blocks == pair.blocks && other.threads_per_block == pair.threads_per_block;
    });
    if (same == past->end()) continue;
    const SplitLatency split = split_at(same->free.widened, boundary->value);
    if (!split.l2) continue;
    const auto window = l1_window(pair.free.widened, split.l2->pmf.min());
    if (share) {
      const std::optional<L1Window> l1 = window ? std::optional(*window) : std::nullopt;
      const LevelShares shares = level_shares(pair.free.widened, l1, boundary->value);
      made.points.push_back({pair.config, share_of(shares, row.part), {}});
    } else if (window) {
      made.points.push_back(point_of_part(pair, window->part));
    }
  }
  if (made.points.empty()) {
    return Diagnostic{row.fact,
                      "no configuration of " + row.tests[0] + " has its twin in " + row.tests[1],
                      "the same blocks and threads", ""};
  }
  choose(made, Choice::mean);
  return made;
}

}  // namespace

Expected<Estimate> WindowEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const bool exact = row.part == "exact", mode = row.part == "mode";
  const bool mean = row.part.empty() || row.part == "mean";
  const bool share = row.part.ends_with("_share") && row.tests.size() > 1;
  if (row.part == "l1" || row.part == "l1_share" || share) return l1_level(row, evidence);
  const bool levels = row.part == "l2" || row.part == "memory" || row.part == "memory_slope" ||
                      row.part == "memory_shift" || row.part == "memory_r2" ||
                      row.part == "l2_share" || row.part == "memory_share";
  if (!exact && !mode && !mean && !levels) {
    return unknown_part(row,
                        "mean, mode, exact, l1, l2, memory, memory_slope, memory_shift, memory_r2, "
                        "l1_share, l2_share, memory_share");
  }
  std::vector<WindowPair> pairs;
  for (const std::string& test : row.tests) {
    auto more = window_pairs(row, test, evidence);
    if (!more) return std::move(more).error();
    pairs.insert(pairs.end(), more->begin(), more->end());
  }
  if (levels) return level(row, pairs);
  Estimate made;
  const double work = row.work.value_or(1);
  for (const WindowPair& pair : pairs) {
    auto value = mode ? static_cast<double>(pair.free.widened.mode()) : pair.free.mean();
    auto deviation = pair.free.deviation();
    if (exact) {
      const auto found = deconvolved(pair.windows, pair.empty, rounds, pair.test);
      if (!found) return found.error();
      value = found->pmf.mean();
      deviation = found->pmf.deviation();
    }
    if (deviation) *deviation /= work;
    made.points.push_back({pair.config, value / work, deviation});
  }
  choose(made, Choice::mean);
  made.note += made.note.empty() ? "" : "; ";
  made.note += exact  ? "constrained deconvolution"
               : mode ? "most likely difference of windows and empty ones"
                      : "mean of the windows less that of empty ones";
  return made;
}

}  // namespace forewarp::characterise
