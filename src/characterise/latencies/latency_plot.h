// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "characterise/statistics/pmf.h"

namespace forewarp::characterise {

/// A distribution of latencies: what share of the accesses took from `from` on, for `width` cycles.
struct LatencySeries {
  struct Bin {
    double from = 0, width = 1, share = 0;
    bool operator==(const Bin&) const = default;
  };
  std::string name;
  std::vector<Bin> bins;  ///< ascending, without empty ones; shares add up to 1

  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  /// The least latency that this share of the accesses does not exceed.
  [[nodiscard]] double quantile(double share) const;
};

/// Of whole cycles, each a bin of one.
[[nodiscard]] LatencySeries series_of(std::string name, const Pmf& pmf);

/// Both distributions in one plot of characters: columns of latency, `#` the first, `o` the second,
/// `@` both. One series: the other stays away.
[[nodiscard]] std::string plot_as_text(const std::vector<LatencySeries>& series);

/// The same as a picture, each series as steps with its name.
[[nodiscard]] std::string plot_as_svg(const std::vector<LatencySeries>& series,
                                      const std::string& title);

}  // namespace forewarp::characterise
