// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/kernel_analysis.h"
#include "execution/grid/block_kinds.h"

namespace forewarp::execution {

struct ExecutionInput;

/// Kinds of blocks by what their index decides, even if it matters to few blocks: the outcomes of
/// comparisons that control branches, over blockIdx, arguments and extents, and the trip counts of
/// loops to within a power of eight. If threadIdx takes part in a linear comparison, what counts is
/// whether it holds for all, some or none of the block's threads. Nothing is executed. Linear
/// comparisons decide for whole parts of the grid; for others every block is asked or, if there are
/// very many, an evenly drawn share. Comparisons that all blocks away from the grid's ends answer
/// alike are left out unless `ends`, as samples take the ends apart anyway. Largest kinds first,
/// those beyond `most` merged; a single kind if all blocks decide alike.
[[nodiscard]] BlockKinds decided_kinds(const KernelAnalysis& analysis, const ExecutionInput& input,
                                       std::size_t most, bool ends = false);

}  // namespace forewarp::execution
