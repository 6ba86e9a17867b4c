// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/executed_binding.h"

#include <cmath>
#include <utility>

#include "driver/executed_paths.h"
#include "driver/profile_result.h"

namespace forewarp {
namespace {

constexpr double same_counts = 0.02;  // of all instructions: blocks at the edges may differ

}  // namespace

ExecutedCounts executed_counts(const PathProfile& paths, double warps) {
  ExecutedCounts counts;
  for (const InstructionCount& count : paths.instructions) {
    counts.executions.push_back(count.warps / warps);
    counts.lanes.push_back(count.warps > 0 ? count.lanes / count.warps : 0);
  }
  return counts;
}

bool counts_agree(const std::vector<double>& foreseen, const ExecutedCounts& counts) {
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    apart += std::fabs(foreseen[i] - counts.executions[i]);
    all += counts.executions[i];
  }
  return apart <= same_counts * all;
}

void bind_profile(const LoadedKernel& loaded, const Case& request, const PredictOptions& options,
                  FoundPaths* foreseen, Prepared& prepared) {
  (void)request;
  (void)options;
  const Kernel& kernel = *loaded.kernel;
  const LaunchProfile& profile = *prepared.profile;
  const double warps = static_cast<double>(prepared.draft.launch.blocks()) *
                       prepared.draft.occupancy.warps_per_block;
  const ExecutedCounts counts = executed_counts(profile.executed.paths, warps);
  std::vector<AccessPattern> patterns(kernel.instructions.size());
  const auto bind = [&](std::vector<WarpPath> paths) {
    prepared.bound = std::make_unique<BoundKernel>(kernel, *prepared.gpu, std::move(paths),
                                                   patterns, prepared.draft.clock_mhz);
  };
  if (foreseen != nullptr) {
    patterns = foreseen->patterns;
    bind(std::move(foreseen->paths));
    if (!counts_agree(prepared.bound->executions(), counts)) prepared.bound.reset();
  }
  const bool agrees = prepared.bound != nullptr;
  if (!agrees) bind(executed_paths(kernel, profile.typical));
  prepared.bound->count_as(counts, agrees);
  note_executed(kernel, profile, prepared.findings, prepared.assumptions);
}

}  // namespace forewarp
