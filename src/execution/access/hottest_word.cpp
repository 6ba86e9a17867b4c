// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/hottest_word.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace forewarp::execution {
namespace {

/// Calls f(address) for each lane of an access whose first lane is at `base`.
template <class F>
void for_each_lane(const AccessStreams& streams, const AccessShape& shape, std::uint64_t base,
                   F f) {
  std::int64_t affine = 0;
  std::uint32_t listed = shape.first_offset;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(shape.lanes, i)) continue;
    const std::int64_t offset = shape.affine ? affine
                                : shape.wide ? streams.wide_offsets[listed]
                                             : std::int64_t{streams.offsets[listed]};
    f(base + static_cast<std::uint64_t>(offset));
    affine += shape.stride;
    ++listed;
  }
}

}  // namespace

double hottest_word(const AccessStreams& streams, const std::vector<bool>& of) {
  std::unordered_map<std::uint64_t, std::uint64_t> lanes_of;
  std::uint64_t most = 0, all = 0;
  for (const BlockStream& block : streams.blocks) {
    for (const WarpStream& warp : streams.warps_of(block)) {
      const std::vector<std::uint32_t>& path = streams.paths[warp.path];
      for (std::size_t i = 0; i < path.size(); ++i) {
        const AccessShape& shape = streams.shapes[path[i]];
        if (shape.instruction >= of.size() || !of[shape.instruction]) continue;
        for_each_lane(streams, shape, streams.bases[warp.first_base + i],
                      [&](std::uint64_t address) {
                        ++all;
                        most = std::max(most, ++lanes_of[address / 4]);
                      });
      }
    }
  }
  return all == 0 ? 0 : static_cast<double>(most) / static_cast<double>(all);
}

}  // namespace forewarp::execution
