// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/contention_fit.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "measured/points/csv_table.h"

namespace forewarp::validation {
namespace {

constexpr std::size_t fewest = 5;
constexpr double inside_weight = 0.1;  // of a point that another beats
constexpr int grid_steps = 64;
constexpr int refinements = 12;
constexpr double nearest_pole = 1.0005, farthest_pole = 2;  // c over the highest throughput

/// a and b of the line latency = a + b x, x = T / (c - T), errors relative to the measurement.
ContentionFit line_through(std::span<const LoadedLatency> points, std::span<const double> weights,
                           double c) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i].gbs / (c - points[i].gbs);
    const double weight = weights[i] / (points[i].cycles * points[i].cycles);
    w += weight;
    wx += weight * x;
    wy += weight * points[i].cycles;
    wxx += weight * x * x;
    wxy += weight * x * points[i].cycles;
  }
  ContentionFit fit;
  fit.c = c;
  fit.b = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  fit.a = (wy - fit.b * wx) / w;
  return fit;
}

double weighted_square(std::span<const LoadedLatency> points, std::span<const double> weights,
                       const ContentionFit& fit) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double error = fit.cycles(points[i].gbs) / points[i].cycles - 1;
    sum += weights[i] * error * error;
  }
  return sum;
}

/// The pole that fits best under these weights: a grid, then ever narrower ones around the best.
ContentionFit search_pole(std::span<const LoadedLatency> points, std::span<const double> weights,
                          double highest) {
  double low = highest * nearest_pole, high = highest * farthest_pole;
  ContentionFit best = line_through(points, weights, low);
  double least = weighted_square(points, weights, best);
  for (int refinement = 0; refinement < refinements; ++refinement) {
    const double step = (high - low) / grid_steps;
    for (int i = 0; i <= grid_steps; ++i) {
      const ContentionFit fit = line_through(points, weights, low + i * step);
      const double square = weighted_square(points, weights, fit);
      if (square >= least) continue;
      least = square;
      best = fit;
    }
    low = std::max(highest * nearest_pole, best.c - step);
    high = best.c + step;
  }
  return best;
}

/// A point is inside when another has as much throughput, a little slack apart, at less latency.
std::vector<double> envelope_weights(std::span<const LoadedLatency> points) {
  constexpr double slack = 0.03;  // noise of a measurement does not put a point inside
  std::vector<double> weights;
  for (const LoadedLatency& point : points) {
    const bool beaten = std::any_of(points.begin(), points.end(), [&](const LoadedLatency& other) {
      return other.gbs >= point.gbs * (1 + slack) && other.cycles <= point.cycles * (1 - slack);
    });
    weights.push_back(beaten ? inside_weight : 1);
  }
  return weights;
}

Expected<double> check_points(std::span<const LoadedLatency> points) {
  if (points.size() < fewest) {
    return Diagnostic{"contention", std::to_string(points.size()) + " points",
                      "at least " + std::to_string(fewest), "measure more occupancies"};
  }
  double least = points.front().gbs, highest = least;
  for (const LoadedLatency& point : points) {
    if (!(point.gbs > 0) || !(point.cycles > 0) || !std::isfinite(point.gbs * point.cycles)) {
      return Diagnostic{"contention",
                        "a point at " + significant(point.gbs) + " GB/s and " +
                            significant(point.cycles) + " cycles",
                        "numbers above 0", ""};
    }
    least = std::min(least, point.gbs);
    highest = std::max(highest, point.gbs);
  }
  if (highest < 2 * least) {
    return Diagnostic{
        "contention",
        "throughput from " + significant(least) + " to " + significant(highest) + " GB/s only",
        "a range of at least a factor of 2", "measure lower occupancies too"};
  }
  return highest;
}

}  // namespace

Expected<ContentionFit> fit_contention(std::span<const LoadedLatency> points) {
  const auto highest = check_points(points);
  if (!highest) return highest.error();
  ContentionFit fit = search_pole(points, envelope_weights(points), *highest);
  if (!(fit.a > 0) || !(fit.b > 0)) {
    return Diagnostic{"contention", "latency that does not grow with throughput",
                      "points of one memory at one clock, from few warps to many", ""};
  }
  for (const LoadedLatency& point : points) {
    fit.error +=
        std::fabs(fit.cycles(point.gbs) / point.cycles - 1) / static_cast<double>(points.size());
  }
  return fit;
}

Expected<std::vector<LoadedLatency>> parse_loaded_latencies(std::string_view csv,
                                                            std::string_view file) {
  const auto table = parse_csv(csv, file);
  if (!table) return table.error();
  std::vector<LoadedLatency> points;
  const auto gbs = table->column("gbs"), cycles = table->column("cycles");
  if (!gbs || !cycles) {
    return Diagnostic{std::string(file), "the columns " + join(table->columns, ", "),
                      "gbs and cycles", ""};
  }
  for (std::size_t row = 0; row < table->rows.size(); ++row) {
    const auto& cells = table->rows[row];
    const auto throughput = parse_number(cells[*gbs]), latency = parse_number(cells[*cycles]);
    if (!throughput || !latency || !std::isfinite(*throughput) || !std::isfinite(*latency)) {
      return Diagnostic{std::string(file) + ", row " + std::to_string(row + 1),
                        "'" + cells[*gbs] + "' and '" + cells[*cycles] + "'", "two finite numbers",
                        ""};
    }
    points.push_back({*throughput, *latency});
  }
  return points;
}

}  // namespace forewarp::validation
