// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/typical_block.h"

#include <algorithm>
#include <cmath>

namespace forewarp::execution {
namespace {

constexpr double as_good = 0.01;  // relative

std::uint64_t longest_of(const std::vector<WarpTrace>& block) {
  std::uint64_t longest = 0;
  for (const WarpTrace& trace : block) longest = std::max(longest, trace.instructions);
  return longest;
}

/// By which share of the mean block's instructions a block does more or fewer.
double apart(const std::vector<WarpTrace>& block, const PathProfile& paths) {
  if (paths.warp_instructions <= 0 || paths.blocks == 0) return 0;
  const double mean = paths.warp_instructions / static_cast<double>(paths.blocks);
  return std::fabs(static_cast<double>(instructions_of(block)) / mean - 1);
}

}  // namespace

std::uint64_t typical_block(const PathProfile& paths) {
  std::vector<const PathGroup*> groups;
  double all = 0;
  for (const PathGroup& group : paths.groups) {
    groups.push_back(&group);
    all += group.warps * static_cast<double>(group.instructions);
  }
  if (groups.empty()) return 0;
  std::stable_sort(groups.begin(), groups.end(), [](const PathGroup* a, const PathGroup* b) {
    return a->instructions < b->instructions;
  });
  double before = 0;
  const PathGroup* middle = groups.back();
  for (const PathGroup* group : groups) {
    before += group->warps * static_cast<double>(group->instructions);
    if (2 * before < all) continue;
    middle = group;
    break;
  }
  const double reach = as_good * static_cast<double>(middle->instructions);
  const PathGroup* best = middle;
  for (const PathGroup& group : paths.groups) {
    const double apart =
        static_cast<double>(group.instructions) - static_cast<double>(middle->instructions);
    if (std::fabs(apart) <= reach && group.warps > best->warps) best = &group;
  }
  return best->block;
}

std::uint64_t instructions_of(const std::vector<WarpTrace>& block) {
  std::uint64_t all = 0;
  for (const WarpTrace& trace : block) all += trace.instructions;
  return all;
}

bool stands_for(const std::vector<WarpTrace>& block, const PathProfile& paths) {
  return apart(block, paths) <= as_good;
}

bool more_typical(const std::vector<WarpTrace>& block, const std::vector<WarpTrace>& than,
                  const PathProfile& paths) {
  if (than.empty()) return true;
  const double longest = static_cast<double>(longest_of(than));
  const bool as_long =
      std::fabs(static_cast<double>(longest_of(block)) - longest) <= as_good * longest;
  return as_long && apart(block, paths) < apart(than, paths);
}

}  // namespace forewarp::execution
