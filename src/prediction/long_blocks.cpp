// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/long_blocks.h"

#include <algorithm>
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

/// Blocks that are too long to be executed; the longest of them where their work is known.
LongBlocks blocks_apart(const BlockKind& kind) {
  LongBlocks apart;
  apart.apart = true;
  apart.blocks = static_cast<double>(kind.blocks);
  apart.last = kind.places.back().block;
  const auto longest = std::ranges::max_element(kind.places, {}, &BlockPlace::longest);
  const bool known =
      std::ranges::all_of(kind.places, [](const BlockPlace& place) { return place.work > 0; });
  apart.block = known ? longest->block : kind.places[kind.places.size() / 2].block;
  if (!known) return apart;
  double work = 0;
  for (const BlockPlace& place : kind.places) work += place.work * static_cast<double>(place.size);
  apart.mean_share = work / apart.blocks / longest->work;
  return apart;
}

double times_longer(double whole, std::uint64_t begun) {
  return begun > 0 ? std::max(1.0, whole / static_cast<double>(begun)) : 1;
}

}  // namespace

double LongBlocks::beyond_longest() const {
  std::uint64_t longest = 0;
  for (const WarpTrace& warp : warps) longest = std::max(longest, warp.instructions);
  return times_longer(work.longest, longest);
}

double LongBlocks::beyond_all() const {
  return times_longer(work.all, instructions_of(warps));
}

LongBlocks longest_blocks(const ExecutedProfile& executed, const std::vector<WarpTrace>& typical) {
  if (executed.plan.apart.blocks > 0) return blocks_apart(executed.plan.apart);
  LongBlocks longest;
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

Expected<void> begin_longest(const Program& program, const ExecutionInput& input,
                             const ProfileOptions& options, LongBlocks& longest) {
  GridOptions beginning = options.grid;
  beginning.most_of_block = options.budget;
  const auto places = places_of(longest.block, input.warps_per_block());
  auto traced = trace_warps(program, input, places, beginning);
  if (!traced) return std::move(traced).error();
  longest.warps = *std::move(traced);
  longest.work.ended = false;
  // A step of what decides takes a fraction of the time of one that is recorded.
  constexpr std::uint64_t steps = 2;
  const std::uint64_t most = steps * options.grid.most_instructions;
  if (auto work = survey_block(program, input, longest.block, most)) longest.work = *work;
  return {};
}

}  // namespace forewarp::prediction
