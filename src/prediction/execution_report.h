// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/kernel_analysis.h"
#include "prediction/execution.h"
#include "prediction/launch.h"
#include "result/result.h"

namespace forewarp::memory {
struct MemoryProfile;
}

namespace forewarp::prediction {

/// Fills Result::profile and Result::execution with the counts of an execution.
void fill_executed(const KernelAnalysis& analysis, const LaunchProfile& launched, Result& result);

/// Fills in the traffic of an execution on one GPU: sectors, hit rates, bytes, and each access.
void fill_memory(const KernelAnalysis& analysis, const MemoryProfile& memory, Result& result);

/// Notes what the execution met or assumed: shared memory that the launch does not have, accesses
/// outside of buffers, misaligned ones, unknown conditions that took their usual way, and the share
/// of the grid that was executed.
void note_executed(const Launch& launch, const LaunchProfile& profile,
                   std::vector<Result::Finding>& findings,
                   std::vector<Result::Assumption>& assumptions);

/// Notes what the replay through the caches assumed.
void note_memory(const MemoryProfile& memory, std::vector<Result::Assumption>& assumptions);

/// Finds that requests to textures and surfaces have no known addresses: their traffic is free.
void note_fetches(const MemoryProfile& memory, std::vector<Result::Finding>& findings);

/// Notes which share of L2's hits is taken to come from its far part.
void note_far_hits(const MemoryProfile& memory, const Gpu& gpu,
                   std::vector<Result::Assumption>& assumptions);

}  // namespace forewarp::prediction
