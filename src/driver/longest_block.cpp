// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/longest_block.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "launch/executed_paths.h"
#include "launch/path_finder.h"
#include "launch/profile_store.h"

namespace forewarp::driver {
namespace {

/// Patterns of the launch; of instructions that no executed block came to, those foreseen.
std::vector<AccessPattern> patterns_of(const Prepared& prepared,
                                       std::vector<AccessPattern> foreseen) {
  const std::vector<AccessPattern>& seen = prepared.bound->patterns();
  const auto& counts = prepared.profile->executed.paths.instructions;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    if (counts[i].warps > 0) foreseen[i] = seen[i];
  }
  return foreseen;
}

}  // namespace

void bind_longest(const LoadedKernel& loaded, const PredictOptions& options, Prepared& prepared) {
  const LongBlocks& longest = prepared.profile->longest;
  if (!(longest.blocks > 0)) return;
  std::vector<WarpPath> paths;
  std::vector<AccessPattern> patterns;
  if (!longest.warps.empty()) {
    paths = executed_paths(*loaded.kernel, longest.warps);
    patterns = prepared.bound->patterns();
  } else {
    const std::string which = significant(longest.blocks, 6) + " of " +
                              std::to_string(prepared.draft.launch.blocks()) +
                              " blocks are too long to be executed: ";
    auto found =
        PathFinder(*loaded.analysis, options)
            .find(prepared.draft.launch, prepared.draft.arguments, *prepared.gpu, longest.block);
    if (!found) {
      prepared.findings.push_back({"cut", which + "they are left out, as " + found.error().found +
                                              "; give a larger --budget"});
      return;
    }
    prepared.findings.push_back({"cut", which + "their loops go on as often as their trip counts "
                                                "say; give a larger --budget to execute them"});
    paths = std::move(found->paths);
    patterns = patterns_of(prepared, std::move(found->patterns));
  }
  prepared.longest =
      std::make_unique<BoundKernel>(*prepared.kernel, *prepared.gpu, std::move(paths),
                                    std::move(patterns), prepared.draft.clock_mhz);
  prepared.longest->follow_block(prepared.draft.occupancy.warps_per_block);
}

double longest_block_cycles(const Prepared& prepared, const LatencyRules& rules,
                            LoopCounting counting) {
  if (!prepared.longest) return 0;
  const BoundLatency& latency = prepared.longest->latency(rules, counting);
  const double alone = std::max(latency.cycles, latency.block_cycles);
  const LongBlocks& longest = prepared.profile->longest;
  if (!longest.warps.empty()) return alone;  // what all of them ask for is in the counts
  double busiest = 0;
  const Demand demand = prepared.longest->demand();
  for (const double cycles : demand.cycles()) busiest = std::max(busiest, cycles);
  const double warps = longest.blocks * prepared.draft.occupancy.warps_per_block;
  return std::max(alone, busiest * warps / prepared.gpu->sms);
}

}  // namespace forewarp::driver
