// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/representatives.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace forewarp {
namespace {

using Point = std::array<double, IntervalVector::count>;

double squared_distance(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Vectors in units of the weighted mean of each feature; features that nobody has stay zero.
std::vector<Point> scaled(std::span<const IntervalVector> vectors, std::span<const double> warps) {
  Point mean{};
  double all = 0;
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    all += warps[v];
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += warps[v] * vectors[v].value[i];
  }
  std::vector<Point> points(vectors.size());
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    for (std::size_t i = 0; i < mean.size(); ++i)
      points[v][i] = mean[i] > 0 ? vectors[v].value[i] * all / mean[i] : 0;
  }
  return points;
}

std::uint32_t nearest_of(const std::vector<Point>& centres, const Point& point) {
  std::uint32_t best = 0;
  for (std::uint32_t c = 1; c < centres.size(); ++c) {
    if (squared_distance(centres[c], point) < squared_distance(centres[best], point)) best = c;
  }
  return best;
}

/// One step of Lloyd's algorithm; false when nothing changed.
bool improve(const std::vector<Point>& points, std::span<const double> warps,
             std::vector<Point>& centres, std::vector<std::uint32_t>& of) {
  bool changed = false;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const std::uint32_t now = nearest_of(centres, points[v]);
    changed = changed || now != of[v];
    of[v] = now;
  }
  std::vector<Point> sums(centres.size());
  std::vector<double> weights(centres.size(), 0);
  for (std::size_t v = 0; v < points.size(); ++v) {
    weights[of[v]] += warps[v];
    for (std::size_t i = 0; i < sums[of[v]].size(); ++i) sums[of[v]][i] += warps[v] * points[v][i];
  }
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (weights[c] <= 0) continue;
    for (std::size_t i = 0; i < centres[c].size(); ++i) centres[c][i] = sums[c][i] / weights[c];
  }
  return changed;
}

/// The vector whose warps are farthest from the centres, all together.
std::size_t worst_represented(const std::vector<Point>& points, std::span<const double> warps,
                              const std::vector<Point>& centres) {
  std::size_t worst = 0;
  double most = -1;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const double distance =
        warps[v] * squared_distance(points[v], centres[nearest_of(centres, points[v])]);
    if (distance > most) {
      most = distance;
      worst = v;
    }
  }
  return worst;
}

/// How far the warps' instructions are from those of their representative, as a share of all.
double deviation(std::span<const PathGroup> groups, const Clusters& clusters) {
  double squares = 0, warps = 0, instructions = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const PathGroup& standing = groups[clusters.nearest[clusters.of[g]]];
    const double apart =
        static_cast<double>(groups[g].instructions) - static_cast<double>(standing.instructions);
    squares += groups[g].warps * apart * apart;
    warps += groups[g].warps;
    instructions += groups[g].warps * static_cast<double>(groups[g].instructions);
  }
  return instructions > 0 ? std::sqrt(squares / warps) * warps / instructions : 0;
}

/// How many paths, most frequent first, are worth their execution.
std::size_t traced_groups(const PathProfile& profile, const RepresentativeOptions& wanted) {
  const double per_block = static_cast<double>(profile.executed_instructions) /
                           static_cast<double>(std::max<std::uint64_t>(1, profile.executed_blocks));
  const double affordable = static_cast<double>(wanted.budget) / std::max(1.0, per_block);
  const std::size_t most = std::max<std::size_t>(
      1, std::min<std::size_t>(wanted.most_traced,
                               affordable < 1e6 ? static_cast<std::size_t>(affordable) : 1000000));
  return std::min(most, profile.groups.size());
}

/// Warps of paths that were not compared go to the representative of the closest length.
void add_others(std::span<const PathGroup> others, std::vector<Representative>& chosen) {
  for (const PathGroup& group : others) {
    const auto apart = [&](const Representative& r) {
      return std::fabs(static_cast<double>(r.trace.instructions) -
                       static_cast<double>(group.instructions));
    };
    const auto closest = std::min_element(
        chosen.begin(), chosen.end(),
        [&](const Representative& a, const Representative& b) { return apart(a) < apart(b); });
    closest->warps += group.warps;
  }
}

void share_out(double warps, std::vector<Representative>& chosen) {
  double all = 0;
  for (const Representative& one : chosen) all += one.warps;
  for (Representative& one : chosen) one.warps += warps * one.warps / all;
}

}  // namespace

Clusters cluster_intervals(std::span<const IntervalVector> vectors, std::span<const double> warps,
                           std::uint32_t count) {
  Clusters clusters;
  clusters.of.assign(vectors.size(), 0);
  if (vectors.empty()) return clusters;
  const std::vector<Point> points = scaled(vectors, warps);
  std::vector<Point> centres(1);
  improve(points, warps, centres, clusters.of);
  constexpr int most_steps = 50;
  while (centres.size() < count) {
    centres.push_back(points[worst_represented(points, warps, centres)]);
    for (int step = 0; step < most_steps && improve(points, warps, centres, clusters.of); ++step) {
    }
  }
  constexpr auto nobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(centres.size(), nobody), nearest(centres.size(), nobody);
  for (std::uint32_t v = 0; v < points.size(); ++v) {
    const std::uint32_t c = clusters.of[v];
    const auto distance = [&](std::uint32_t w) { return squared_distance(points[w], centres[c]); };
    if (nearest[c] == nobody || distance(v) < distance(nearest[c])) nearest[c] = v;
  }
  for (std::uint32_t c = 0; c < centres.size(); ++c) {  // clusters without members do not count
    if (nearest[c] == nobody) continue;
    number[c] = static_cast<std::uint32_t>(clusters.nearest.size());
    clusters.nearest.push_back(nearest[c]);
  }
  for (std::uint32_t& c : clusters.of) c = number[c];
  return clusters;
}

Expected<std::vector<Representative>> choose_representatives(const Program& program,
                                                             const ExecutionInput& input,
                                                             const PathProfile& profile,
                                                             const GridOptions& options,
                                                             const RepresentativeOptions& wanted) {
  std::vector<Representative> chosen;
  if (profile.groups.empty()) return chosen;
  const auto groups = std::span(profile.groups).first(traced_groups(profile, wanted));
  std::vector<WarpPlace> places;
  std::vector<double> warps;
  for (const PathGroup& group : groups) {
    places.push_back({group.block, group.warp});
    warps.push_back(group.warps);
  }
  auto traces = trace_warps(program, input, places, options);
  if (!traces) return std::move(traces).error();
  std::vector<IntervalVector> vectors;
  for (const WarpTrace& trace : *traces) vectors.push_back(interval_vector(program, trace));
  Clusters clusters;
  const auto most = std::min<std::size_t>(std::max(1U, wanted.most), groups.size());
  for (std::uint32_t count = 1; count <= most; ++count) {
    clusters = cluster_intervals(vectors, warps, count);
    if (deviation(groups, clusters) <= wanted.wanted_deviation) break;
  }
  for (const std::uint32_t group : clusters.nearest)
    chosen.push_back({std::move((*traces)[group]), 0});
  for (std::size_t g = 0; g < groups.size(); ++g) chosen[clusters.of[g]].warps += warps[g];
  add_others(std::span(profile.groups).subspan(groups.size()), chosen);
  share_out(profile.left_out_warps, chosen);
  return chosen;
}

}  // namespace forewarp
