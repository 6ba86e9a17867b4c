// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/work_kinds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace forewarp::execution {
namespace {

/// Makes the longest block a kind of its own if its kind has shorter ones: a launch may wait for
/// it, so that it has to be executed, not only one like it.
void set_longest_apart(const BlockSurvey& survey, BlockKinds& found, std::vector<double>& work) {
  const auto longest = std::max_element(survey.work.begin(), survey.work.end());
  BlockKind& kind = found.kinds.back();
  if (kind.places.size() < 2 || std::isinf(*longest) || *longest <= alike_work * work.back())
    return;
  BlockPlace apart = survey.places[static_cast<std::size_t>(longest - survey.work.begin())];
  apart.work = *longest;
  std::erase_if(kind.places, [&](const BlockPlace& place) { return place.block == apart.block; });
  const auto all = static_cast<double>(kind.blocks), own = static_cast<double>(apart.size);
  work.back() = (work.back() * all - *longest * own) / std::max(1.0, all - own);
  kind.blocks -= apart.size;
  found.kinds.push_back({apart.size, 0, {apart}});
  work.push_back(*longest);
}

}  // namespace

BlockKinds kinds_by_work(const BlockSurvey& survey, std::vector<double>& work, double most_kinds) {
  std::vector<std::size_t> order(survey.work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return survey.work[a] < survey.work[b]; });
  double longest = 1, shortest = 1;
  for (const std::size_t i : order) {
    if (!std::isinf(survey.work[i])) longest = std::max(longest, survey.work[i]);
  }
  shortest = std::max(1.0, survey.work[order.front()]);
  const double range = std::max(alike_work, std::pow(longest / shortest, 1 / most_kinds));
  BlockKinds found;
  work.clear();
  double first = -1;
  for (const std::size_t i : order) {
    const double own = std::max(1.0, survey.work[i]);
    if (first < 0 || own > range * first) {
      first = own;
      found.kinds.emplace_back();
      work.push_back(0);
    }
    BlockKind& kind = found.kinds.back();
    BlockPlace place = survey.places[i];
    place.work = std::isinf(own) ? 0 : own;
    kind.blocks += place.size;
    kind.places.push_back(place);
    const double share = static_cast<double>(place.size) / static_cast<double>(kind.blocks);
    work.back() = std::isinf(own) ? own : work.back() + (own - work.back()) * share;
  }
  set_longest_apart(survey, found, work);
  for (BlockKind& kind : found.kinds) {
    std::sort(kind.places.begin(), kind.places.end(),
              [](const BlockPlace& a, const BlockPlace& b) { return a.block < b.block; });
    kind.error = drawn_error(survey.unlooked, kind.places.size());
    thin(kind);
  }
  found.looked_at = survey.places.size();
  found.unlooked = survey.unlooked;
  return found;
}

}  // namespace forewarp::execution
