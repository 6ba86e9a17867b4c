// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/machine/stream.h"

#include <algorithm>
#include <cmath>

namespace forewarp::timing {

Stream::Stream(const WarpPath& path, double share, double least) {
  if (!path.events.empty()) events = &path.events;
  add(path.steps, path, share, least, 0, 1);
}

void Stream::add(const std::vector<PathStep>& pieces, const WarpPath& path, double share,
                 double least, std::size_t depth, double times) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const PathStep& piece = pieces[i];
    if (!piece.is_loop()) {
      if (piece.first >= piece.last) continue;
      steps.push_back({piece.first, piece.last, 0, 0, piece.jumps, false, false});
      instructions += times * (piece.last - piece.first);
      continue;
    }
    const double all = path.loops[piece.loop].trips;
    const double wanted = depth == 0 ? std::max(std::min(all, least), all * share) : all;
    const double trips = std::round(wanted);
    if (trips < 1 || piece.body.empty()) continue;
    if (depth >= deepest) {  // once: a cursor has no counter left for its passes
      too_deep = true;
      add(piece.body, path, share, least, depth, times);
      continue;
    }
    const std::size_t begin = steps.size();
    steps.push_back(
        {0, 0, static_cast<std::uint32_t>(std::min(trips, 4e9)), 0, false, false, false});
    add(piece.body, path, share, least, depth + 1, times * trips);
    if (piece.leaves_at_end && steps.back().first < steps.back().last) {
      steps.back().falls_at_end = true;
    }
    if (steps.size() == begin + 1) {  // nothing inside
      steps.pop_back();
      continue;
    }
    steps.push_back({0, 0, 0, static_cast<std::uint32_t>(begin + 1), false, false, true});
    steps[begin].other = static_cast<std::uint32_t>(steps.size());
  }
}

}  // namespace forewarp::timing
