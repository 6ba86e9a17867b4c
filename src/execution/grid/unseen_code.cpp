// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/unseen_code.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/kernel_analysis.h"
#include "base/mixed.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t beginning = 128;  // instructions of each warp that are searched
constexpr double looked_share = 0.5;      // of the budget

/// Notes which blocks reached one of some instructions.
struct ReachSink : NoSink {
  const std::vector<std::uint8_t>* entries = nullptr;  ///< by instruction
  bool reached = false;
  std::map<std::uint64_t, bool> blocks;

  [[nodiscard]] ReachSink empty() const {
    ReachSink other;
    other.entries = entries;
    return other;
  }
  void merge(const ReachSink& later) { blocks.insert(later.blocks.begin(), later.blocks.end()); }
  void block_started(Block&) { reached = false; }
  void executed(const Warp&, std::uint32_t instruction, LaneMask, LaneMask) {
    reached = reached || (*entries)[instruction] != 0;
  }
  void block_ended(const Block& block) { blocks[block.linear] = reached; }
};

}  // namespace

std::vector<UnseenCode> unseen_code(const KernelAnalysis& analysis, const Program& program,
                                    const PathProfile& paths) {
  std::vector<UnseenCode> found;
  const ControlFlow& flow = analysis.flow();
  for (const auto& [index, count] : paths.branches) {
    const Condition* condition = analysis.condition(index);
    if (condition == nullptr || condition->reason.empty() || program.usual[index] != 0) continue;
    const bool always = count.taken >= count.active;
    if (count.active <= 0 || (!always && count.taken > 0)) continue;
    for (const ControlEdge& edge : flow.successors(flow.block_of(index))) {
      const std::uint32_t entry = flow.blocks()[edge.to].first;
      const bool other = edge.conditional && edge.when_taken != always;
      if (other && paths.instructions[entry].warps == 0) found.push_back({index, entry});
    }
  }
  return found;
}

Expected<BlockKinds> kinds_by_code(const Program& program, const ExecutionInput& input,
                                   const std::vector<UnseenCode>& code, const PathProfile& paths,
                                   const ProfileOptions& options) {
  const std::uint64_t warps = input.warps_per_block();
  const std::uint64_t all = input.blocks();
  const double block = std::clamp(paths.warp_instructions / static_cast<double>(all), 1.0,
                                  static_cast<double>(warps * beginning));
  const auto affordable =
      static_cast<std::uint64_t>(looked_share * static_cast<double>(options.budget) / block);
  const std::uint64_t places = std::clamp<std::uint64_t>(affordable, 1, all);
  std::vector<BlockPlace> looked;
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t i = 0; i < places; ++i) {
    looked.push_back(drawn_place(all, places, i));
    blocks.push_back(looked.back().block);
  }
  std::vector<std::uint8_t> entries(program.ops.size(), 0);
  for (const UnseenCode& place : code) entries[place.entry] = 1;
  ReachSink sink;
  sink.entries = &entries;
  GridOptions begin = options.grid;
  begin.most_of_block = warps * beginning;
  begin.keep_cut = true;
  const auto run = run_grid(program, input, blocks, begin, sink);
  if (!run) return run.error();
  BlockKinds kinds;
  kinds.kinds.resize(2);
  kinds.looked_at = places;
  for (const BlockPlace& place : looked) {
    const auto seen = sink.blocks.find(place.block);
    BlockKind& kind = kinds.kinds[seen != sink.blocks.end() && seen->second ? 1 : 0];
    kind.places.push_back(place);
    kind.blocks += place.size;
  }
  std::erase_if(kinds.kinds, [](const BlockKind& kind) { return kind.blocks == 0; });
  const double unlooked = 1 - static_cast<double>(places) / static_cast<double>(all);
  for (BlockKind& kind : kinds.kinds) {
    kind.error = drawn_error(unlooked, kind.places.size());
    thin(kind);
  }
  return kinds;
}

}  // namespace forewarp::execution
