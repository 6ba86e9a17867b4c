// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/long_blocks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace forewarp::prediction {
namespace {

constexpr double far_longer = 2;        // times the warps of a typical block
constexpr double about_as_long = 0.95;  // times the longest warp: an edge costs a few instructions

/// The last block with a warp about as long as `most` instructions. Blocks of the kind of `block`
/// are, where those of the grid are not known one by one.
std::uint64_t last_as_long(const ExecutedProfile& executed, std::uint64_t block, double most) {
  std::uint64_t last = block, end = 0;
  for (const BlockLoad& load : executed.paths.loads) {
    end += load.blocks;
    if (load.longest >= about_as_long * most) last = std::max(last, end - 1);
  }
  if (end > 0) return last;
  for (const BlockKind& kind : executed.plan.kinds.kinds) {
    const auto own = std::ranges::find(kind.places, block, &BlockPlace::block);
    if (own != kind.places.end()) last = std::max(last, kind.places.back().block);
  }
  return last;
}

double times_longer(double whole, double begun) {
  return begun > 0 ? std::max(1.0, whole / begun) : 1;
}

double longest_of(const std::vector<WarpTrace>& warps) {
  std::uint64_t longest = 0;
  for (const WarpTrace& warp : warps) longest = std::max(longest, warp.instructions);
  return static_cast<double>(longest);
}

/// A step of what decides takes a fraction of the time of one that is recorded.
constexpr std::uint64_t steps_of_instruction = 2;

/// Counts blocks as long as steps are left.
struct Counting {
  const Program& program;
  const ExecutionInput& input;
  std::uint64_t most = 0, spent = 0;

  std::vector<CountedBlock> count(std::span<const std::uint64_t> blocks) {
    return count_blocks(program, input, blocks, most - std::min(most, spent), spent);
  }
  [[nodiscard]] std::uint64_t instructions() const { return spent / steps_of_instruction; }
};

/// The longest of some blocks; one that did not end with its part of the steps is longer than all
/// that did.
void find_longest(const BlocksApart& apart, Counting& counting, LongBlocks& longest) {
  const std::vector<CountedBlock> counted = counting.count(apart.uncounted);
  if (counted.empty()) return;
  const auto most = std::ranges::max_element(counted, {}, [](const CountedBlock& one) {
    return std::pair(!one.work.ended, one.work.longest);
  });
  longest.block = most->block;
  longest.work = most->work;
  longest.counted = true;
  double all = 0, corners = 0, known = 0;
  std::vector<DrawnLength> drawn;
  for (const CountedBlock& one : counted) {
    all += one.work.all;
    known = std::max(known, one.work.longest);
    if (is_corner(counting.input.grid, one.block)) {
      ++corners;
    } else {
      drawn.push_back({place_in(counting.input.grid, one.block), one.work.longest});
    }
  }
  longest.mean_share = all / static_cast<double>(counted.size()) / longest.work.all;
  longest.unseen = unseen_longest(drawn, static_cast<double>(apart.of_uncounted) - corners, known);
}

}  // namespace

double LongBlocks::beyond_longest() const {
  return times_longer(work.longest, longest_of(warps));
}

double LongBlocks::beyond_all() const {
  return times_longer(work.all, static_cast<double>(instructions_of(warps)));
}

LongBlocks longest_blocks(const ExecutedProfile& executed, const std::vector<WarpTrace>& typical) {
  LongBlocks longest;
  longest.unseen = executed.plan.unseen;
  if (const BlocksApart& apart = executed.plan.apart; apart.blocks > 0) {
    longest.apart = true;
    longest.blocks = static_cast<double>(apart.blocks);
    longest.block = apart.block;
    longest.last = apart.last;
    longest.mean_share = apart.mean_share;
    return longest;
  }
  std::uint64_t usual = 0;
  for (const WarpTrace& trace : typical) usual = std::max(usual, trace.instructions);
  std::uint64_t most = 0;
  double warps = 0;
  for (const PathGroup& group : executed.paths.groups) {
    if (static_cast<double>(group.instructions) > far_longer * static_cast<double>(usual)) {
      warps += group.warps;
      longest.beyond += group.warps * static_cast<double>(group.instructions - usual);
    }
    most = std::max(most, group.instructions);
  }
  double with =
      0;  // warps of the largest group of about that length: full blocks before their edges
  longest.length = static_cast<double>(most);
  for (const PathGroup& group : executed.paths.groups) {
    const bool long_enough =
        static_cast<double>(group.instructions) >= about_as_long * static_cast<double>(most);
    if (!long_enough || group.warps <= with) continue;
    with = group.warps;
    longest.block = group.block;
  }
  longest.blocks = warps / static_cast<double>(typical.size());
  longest.last = last_as_long(executed, longest.block, static_cast<double>(most));
  return longest;
}

std::uint64_t begin_longest(const Program& program, const ExecutionInput& input,
                            const ProfileOptions& options, std::uint64_t left,
                            const BlocksApart& apart, LongBlocks& longest) {
  Counting counting{program, input, steps_of_instruction * left};
  if (apart.uncounted.size() > 1) find_longest(apart, counting, longest);
  const std::uint64_t warps = input.warps_per_block();
  GridOptions beginning = options.grid;
  beginning.most_of_block = std::max(warps, std::min(options.budget, left));
  // A block that fails by itself is one that nobody executes: it is left out then.
  const auto places = places_of(longest.block, input.warps_per_block());
  auto traced = trace_warps(program, input, places, beginning);
  if (!traced) {
    longest.unseen = {};
    return counting.instructions();
  }
  longest.warps = *std::move(traced);
  const std::uint64_t begun = instructions_of(longest.warps);
  const auto ends = [&](const WarpTrace& warp) {
    return warp.instructions < beginning.most_of_block / warps;
  };
  const SurveyedWork known{static_cast<double>(begun), longest_of(longest.warps),
                           std::ranges::all_of(longest.warps, ends)};
  if (known.ended || !longest.counted) longest.work = known;
  if (!longest.work.ended) {
    for (const CountedBlock& one : counting.count({&longest.block, 1})) {
      if (!one.work.ended && one.work.longest <= longest.work.longest) continue;
      longest.work = one.work;
      longest.counted = true;
    }
  }
  longest.length = longest.work.longest;
  if (!longest.work.ended) longest.unseen = {};  // nobody knows how long they go on
  return begun + counting.instructions();
}

}  // namespace forewarp::prediction
