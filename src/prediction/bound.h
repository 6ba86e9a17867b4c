// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/cache/memory_cache.h"
#include "model/model.h"
#include "model/ordered_time.h"
#include "prediction/launch.h"
#include "prediction/trace.h"

namespace forewarp::binding {
class BoundKernel;
}

namespace forewarp::prediction {

/// The fourth stage: the kernel as this board issues it under this launch. Never changed; threads
/// may share it.
struct Bound {
  std::shared_ptr<const BoundKernel> kernel;
  /// The same of a block far longer than most; null: none.
  std::shared_ptr<const BoundKernel> longest;
  bool longest_begun = false;        ///< .. of which only the beginning is known
  std::optional<OrderedTime> order;  ///< of blocks that wait for each other or for a time to pass
  std::array<MemoryStretch, 3> stretches{};  ///< with data in a slow segment of memory
  Notes notes;                               ///< of this stage alone
  std::string key;  ///< that of its trace, and the clock; empty where that is
  /// What the bound kernels refer to.
  std::shared_ptr<const Kernel> code;
  std::shared_ptr<const Gpu> gpu;
};

/// Binds the kernel to its GPU. After an execution, counts are the executed ones and traffic is
/// that of the caches; latencies follow the foreseen paths, with their formulas, if these agree
/// with the execution, else the warps of a typical block. If a few blocks take far longer than the
/// others, one of them is bound too; if it is too long to be executed, as the analysis foresees it,
/// or as far as it was executed, which is then a finding. `cache`: null keeps nothing. Fails if its
/// blocks wait for ever.
[[nodiscard]] Expected<std::shared_ptr<const Bound>> make_bound(const Launch& launch,
                                                                const Trace& trace,
                                                                const Query& query,
                                                                MemoryCache* cache);

/// The longest block alone on an SM; if the launch's counts do not include such blocks,
/// at least those that all of them take of the busiest unit. 0: there is none. `beyond`: it is so
/// many times as long as the one that is known.
[[nodiscard]] Cycles longest_block(const Launch& launch, const Trace& trace, const Bound& bound,
                                   const LatencyRules& rules, LoopCounting counting, double beyond);

/// Share of the others' time after which the longest block begins, as blocks are dispatched by
/// their index when others end; 0 where there is none, or as many as a wave has SMs.
[[nodiscard]] double longest_begins(const Launch& launch, const Trace& trace);

/// Bytes of memory that it takes, for the cache.
[[nodiscard]] std::size_t kept_bytes(const Bound& bound);

}  // namespace forewarp::prediction
