// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/latencies.h"

#include <algorithm>
#include <cmath>

namespace forewarp::timing {
namespace {

/// Two neighbours become one.
void halve(std::vector<std::uint64_t>& bins) {
  for (std::size_t i = 0; 2 * i < bins.size(); ++i) {
    const std::uint64_t second = 2 * i + 1 < bins.size() ? bins[2 * i + 1] : 0;
    bins[i] = bins[2 * i] + second;
  }
  bins.resize((bins.size() + 1) / 2);
}

}  // namespace

void AccessLatencies::add(Ticks latency, Cause level) {
  latency = std::max<Ticks>(latency, 0);
  least_ = count_ == 0 ? latency : std::min(least_, latency);
  most_ = std::max(most_, latency);
  ++count_;
  ++levels_[static_cast<std::size_t>(level)];
  const double cycles = cycles_of(latency);
  sum_ += cycles;
  squares_ += cycles * cycles;
  while (latency / width_ >= static_cast<Ticks>(most_bins)) {
    halve(bins_);
    width_ *= 2;
  }
  const auto bin = static_cast<std::size_t>(latency / width_);
  if (bins_.size() <= bin) bins_.resize(bin + 1, 0);
  ++bins_[bin];
}

double AccessLatencies::mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

double AccessLatencies::deviation() const {
  if (count_ == 0) return 0;
  const double variance = squares_ / static_cast<double>(count_) - mean() * mean();
  return std::sqrt(std::max(0.0, variance));
}

}  // namespace forewarp::timing
