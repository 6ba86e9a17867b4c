// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What many runs of one thing say: extremes and mean, groups of runs that lie close together, a
// histogram, how many runs a predicted value covers, and how many are exceptions. After Voudouris
// 2014, section 7 (BC, AC, WC, clusters, coverage) and Figure 20 (exceptions).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace forewarp::measured {

struct RunOptions {
  std::size_t bins = 10;        ///< of the histogram
  std::optional<double> gap;    ///< larger steps part clusters; none: a hundredth of the median
  std::optional<double> bound;  ///< a predicted value
};

/// Runs that follow each other without a larger step than the gap.
struct RunCluster {
  double low = 0, high = 0;
  std::size_t count = 0;
};

struct RunBin {
  double low = 0, high = 0;  ///< high belongs to the next bin, but for the last one
  std::size_t count = 0;
  double cumulative = 0;  ///< share of the runs up to here
};

struct RunStatistics {
  std::size_t count = 0;
  double best = 0, mean = 0, median = 0, worst = 0;
  double deviation = 0;              ///< standard, of a sample; 0 for one run
  double gap = 0;                    ///< as used
  std::vector<RunCluster> clusters;  ///< ascending
  std::size_t largest = 0;           ///< cluster with the most runs; the lower one of equals
  std::size_t exceptions = 0;        ///< runs outside of it
  std::vector<RunBin> histogram;     ///< empty where all runs are alike
  std::optional<double> bound;
  std::size_t covered = 0;  ///< runs up to the bound
};

/// Of at least one run, all of them finite.
[[nodiscard]] RunStatistics run_statistics(std::vector<double> runs, const RunOptions& options);

}  // namespace forewarp::measured
