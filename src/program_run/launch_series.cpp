// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launch_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <ranges>

namespace forewarp::program_run {
namespace {

constexpr double alike = 0.1;  // numbers of instructions, or times, that one prediction serves

bool is_near(double value, double of) {
  return std::fabs(value - of) <= alike * of;
}

double threads_of(const SeriesKey& key) {
  double threads = 1;
  for (std::size_t i = 1; i < 7; ++i) threads *= static_cast<double>(key[i]);
  return threads;
}

/// The prediction of a geometry; null: it has none.
const LaunchPoint* prediction_of(const LaunchSeries& series) {
  if (series.points.empty()) return nullptr;
  const LaunchPoint& last = series.points.back();
  return last.stands_in || !last.failure.empty() ? nullptr : &last;
}

/// The geometries of a function.
auto series_of(const AllSeries& all, std::uint64_t function) {
  return std::ranges::subrange(all.lower_bound({function}), all.lower_bound({function + 1}));
}

}  // namespace

double time_of(const LaunchSeries& series, double instructions) {
  const LaunchPoint* below = nullptr;
  const LaunchPoint* above = nullptr;
  for (const LaunchPoint& point : series.points) {
    if (point.instructions <= instructions &&
        (below == nullptr || point.instructions >= below->instructions))
      below = &point;
    if (point.instructions >= instructions &&
        (above == nullptr || point.instructions <= above->instructions))
      above = &point;
  }
  if (below == nullptr && above == nullptr) return 0;
  if (below == nullptr || above == nullptr) {
    const LaunchPoint& nearest = below != nullptr ? *below : *above;
    return nearest.instructions > 0 ? nearest.ms * instructions / nearest.instructions : nearest.ms;
  }
  const double span = above->instructions - below->instructions;
  if (span <= 0) return below->ms;
  return below->ms + (above->ms - below->ms) * (instructions - below->instructions) / span;
}

double time_of(const LaunchSeries& series, const LaunchPoint* same, double instructions) {
  if (same != nullptr && same->failure.empty() && is_near(same->instructions, instructions))
    return same->ms * instructions / same->instructions;
  return time_of(series, instructions);
}

bool knows(const LaunchSeries& series, double instructions) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [&](const LaunchPoint& p) { return is_near(p.instructions, instructions); });
}

bool tries(LaunchSeries& series, std::uint64_t values) {
  constexpr std::size_t most_values = 4096;  // what steps with each launch has shown itself by then
  if (series.values.size() >= most_values) return false;
  if (!series.values.insert(values).second) return false;
  return series.strays || std::has_single_bit(series.values.size());
}

void tried(LaunchSeries& series) {
  if (series.points.size() < 2) return;
  LaunchSeries others;
  others.points.assign(series.points.begin(), series.points.end() - 1);
  const LaunchPoint& made = series.points.back();
  series.strays = made.failure.empty() && !is_near(time_of(others, made.instructions), made.ms);
}

const LaunchPoint* same_launch(const LaunchSeries& series,
                               const std::vector<std::uint8_t>& parameters,
                               const std::vector<std::uint64_t>& contents) {
  const auto found =
      std::find_if(series.points.rbegin(), series.points.rend(), [&](const LaunchPoint& p) {
        return p.parameters == parameters &&
               (p.contents.empty() || contents.empty() || p.contents == contents);
      });
  return found == series.points.rend() ? nullptr : &*found;
}

std::optional<LaunchPoint> stand_in(const AllSeries& all, const SeriesKey& key, double most_ratio) {
  const double threads = threads_of(key);
  const LaunchPoint* nearest = nullptr;
  double far = 0, scale = 1;
  for (const auto& [other, series] : series_of(all, key[0])) {
    const LaunchPoint* predicted = prediction_of(series);
    if (predicted == nullptr) continue;
    const double own = threads_of(other);
    const double apart = std::fabs(std::log(threads / own));
    if (apart > std::log(most_ratio) || (nearest != nullptr && apart >= far)) continue;
    nearest = predicted;
    far = apart;
    scale = threads / own;
  }
  if (nearest == nullptr) return std::nullopt;
  LaunchPoint point = *nearest;
  point.ms *= scale;
  point.share = std::min(1.0, point.share * scale);
  point.instructions = 0;
  point.parameters.clear();
  point.stands_in = true;
  return point;
}

std::size_t predicted_sizes(const AllSeries& all, std::uint64_t function) {
  return static_cast<std::size_t>(std::ranges::count_if(
      series_of(all, function),
      [](const auto& entry) { return prediction_of(entry.second) != nullptr; }));
}

}  // namespace forewarp::program_run
