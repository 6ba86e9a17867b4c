// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/cache/memory_cache.h"
#include "base/expected.h"
#include "prediction/launch.h"
#include "request/tables/work_budget.h"

namespace forewarp::memory {
struct MemoryProfile;
}

namespace forewarp::prediction {

struct FoundPaths;
struct LaunchProfile;
struct PlannedExecution;

/// The third stage: what the launch does, executed and replayed through the board's caches, or
/// foreseen by the analysis. A stated clock and what is timed do not matter here. Never changed.
struct Trace {
  std::shared_ptr<const FoundPaths> foreseen;    ///< null: the analysis found no paths
  std::shared_ptr<const LaunchProfile> profile;  ///< null: counts are static
  std::shared_ptr<const MemoryProfile> memory;   ///< traffic of the profile on this GPU
  double executed_share = 1;  ///< below 1: the budget cut a block; its loops go on as foreseen
  double working_share = 1;   ///< work of the grid in typical blocks, over its blocks
  std::uint64_t blocks = 0;   ///< of the grid
  double warps_per_block = 0;
  WorkAccount work;  ///< the part of the budget that execution and caches took
  Notes notes;       ///< of this stage alone
  /// By content: the code, the launch with its data, what may be executed, the board's numbers and
  /// how its caches start. Empty: something that it depends on has no content to key by, so that
  /// nothing which follows from it is kept either.
  std::string key;

  /// The work of the grid in blocks like the typical one; surplus blocks, which do nothing, do not
  /// count.
  [[nodiscard]] double working_blocks() const;
  /// The same in warps: what counts per warp are multiplied by.
  [[nodiscard]] double working_warps() const { return working_blocks() * warps_per_block; }
};

/// What a trace is made from, before anything is executed.
struct TracePlan {
  /// A failure says why nothing can be executed.
  Expected<std::shared_ptr<const PlannedExecution>> execution;
  std::string key;  ///< as that of the trace
};

[[nodiscard]] TracePlan plan_trace(const Launch& launch, const Query& query);

/// Finds out what the launch does. The kernel is executed and replayed through the board's caches,
/// or that is taken from an earlier time, also of another process; if it cannot be executed, counts
/// come from the static analysis, which is then an assumption. Fails if neither gives counts.
Expected<std::shared_ptr<const Trace>> make_trace(const Launch& launch, const Query& query,
                                                  const TracePlan& plan, MemoryCache& cache);

/// The same by the static analysis alone.
Expected<std::shared_ptr<const Trace>> foreseen_trace(const Launch& launch, const Query& query);

/// An edited launch with its accesses replayed through the caches.
[[nodiscard]] Trace replayed(Trace edited, const Launch& launch, const Query& query);

/// Instructions of a mean block over those of the typical one; 1 where blocks are about alike. What
/// a few far longer blocks, no more than SMs, have beyond a typical one does not count.
[[nodiscard]] double working_share(const LaunchProfile& profile, std::uint32_t sms);

/// Bytes of memory that it takes, for the cache.
[[nodiscard]] std::size_t kept_bytes(const Trace& trace);

}  // namespace forewarp::prediction
