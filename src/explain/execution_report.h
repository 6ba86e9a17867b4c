// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/kernel_analysis.h"
#include "launch/profile_store.h"
#include "launch/stages.h"
#include "result/result.h"

namespace forewarp::memory {
struct MemoryProfile;
}

namespace forewarp::explain {

/// Counts of an execution as the result shows them: Result::profile and Result::execution.
void fill_executed(const KernelAnalysis& analysis, const ExecutedProfile& executed, Result& result);

/// Traffic of an execution on one GPU: sectors, hit rates, bytes, and each access.
void fill_memory(const KernelAnalysis& analysis, const MemoryProfile& memory, Result& result);

/// What the execution met or assumed: shared memory that the launch does not give, accesses outside
/// of buffers, misaligned ones, unknown conditions that took their usual way, and the share of the
/// grid that ran.
void note_executed(const Drafted& drafted, const LaunchProfile& profile,
                   std::vector<Result::Finding>& findings,
                   std::vector<Result::Assumption>& assumptions);

/// What the replay through the caches assumed.
void note_memory(const MemoryProfile& memory, std::vector<Result::Assumption>& assumptions);

}  // namespace forewarp::explain
