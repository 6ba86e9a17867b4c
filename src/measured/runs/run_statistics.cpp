// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/runs/run_statistics.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace forewarp::measured {
namespace {

std::vector<RunCluster> clusters_of(const std::vector<double>& sorted, double gap) {
  std::vector<RunCluster> clusters;
  for (const double run : sorted) {
    if (clusters.empty() || run - clusters.back().high > gap) clusters.push_back({run, run, 0});
    clusters.back().high = run;
    ++clusters.back().count;
  }
  return clusters;
}

std::vector<RunBin> histogram_of(const std::vector<double>& sorted, std::size_t bins) {
  const double low = sorted.front(), width = (sorted.back() - low) / static_cast<double>(bins);
  std::vector<RunBin> histogram;
  if (!(width > 0)) return histogram;
  for (std::size_t b = 0; b < bins; ++b) {
    const auto place = static_cast<double>(b);
    histogram.push_back({low + width * place, low + width * (place + 1), 0, 0});
  }
  for (const double run : sorted) {
    const auto bin = static_cast<std::size_t>((run - low) / width);
    ++histogram[std::min(bin, bins - 1)].count;
  }
  std::size_t so_far = 0;
  for (RunBin& bin : histogram) {
    so_far += bin.count;
    bin.cumulative = static_cast<double>(so_far) / static_cast<double>(sorted.size());
  }
  return histogram;
}

}  // namespace

RunStatistics run_statistics(std::vector<double> runs, const RunOptions& options) {
  constexpr double usual_gap = 0.01;  // of the median
  std::sort(runs.begin(), runs.end());
  RunStatistics s;
  s.count = runs.size();
  s.best = runs.front();
  s.worst = runs.back();
  s.median = median_of_sorted(runs);
  for (const double run : runs) s.mean += run / static_cast<double>(runs.size());
  s.deviation = std::sqrt(variance_about(s.mean, runs));
  s.gap = options.gap.value_or(usual_gap * std::fabs(s.median));
  s.clusters = clusters_of(runs, s.gap);
  const auto largest =
      std::max_element(s.clusters.begin(), s.clusters.end(),
                       [](const RunCluster& a, const RunCluster& b) { return a.count < b.count; });
  s.largest = static_cast<std::size_t>(largest - s.clusters.begin());
  s.exceptions = runs.size() - largest->count;
  s.histogram = histogram_of(runs, std::max<std::size_t>(1, options.bins));
  s.bound = options.bound;
  if (s.bound) {
    s.covered = static_cast<std::size_t>(std::upper_bound(runs.begin(), runs.end(), *s.bound) -
                                         runs.begin());
  }
  return s;
}

}  // namespace forewarp::measured
