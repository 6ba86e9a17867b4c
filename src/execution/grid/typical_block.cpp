// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/typical_block.h"

#include <cmath>
#include <utility>

namespace forewarp::execution {
namespace {

constexpr double about_as_many = 0.01;  // relative

/// Blocks that come to the same.
struct Alike {
  double blocks = 0;
  std::uint64_t first = 0;
};

}  // namespace

std::uint64_t typical_block(const std::map<std::uint64_t, BlockTotal>& totals,
                            const std::unordered_map<std::uint64_t, double>& weights) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Alike> kinds;  // by all and longest, ascending
  double work = 0;
  for (const auto& [block, total] : totals) {
    const auto stated = weights.find(block);
    const double stands_for = stated == weights.end() ? 1 : stated->second;
    Alike& kind = kinds.try_emplace({total.all, total.longest}, Alike{0, block}).first->second;
    kind.blocks += stands_for;
    work += stands_for * static_cast<double>(total.all);
  }
  double middle = 0, before = 0;
  for (const auto& [total, kind] : kinds) {
    before += kind.blocks * static_cast<double>(total.first);
    middle = static_cast<double>(total.first);
    if (2 * before >= work) break;
  }
  Alike best;
  for (const auto& [total, kind] : kinds) {
    const double apart = std::fabs(static_cast<double>(total.first) - middle);
    if (apart <= about_as_many * middle && kind.blocks > best.blocks) best = kind;
  }
  return best.first;
}

}  // namespace forewarp::execution
