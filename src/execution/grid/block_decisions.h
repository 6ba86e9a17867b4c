// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/kernel_analysis.h"
#include "execution/grid/block_kinds.h"

namespace forewarp::execution {

struct ExecutionInput;

/// Kinds by what a block's index decides, however few blocks decide so: comparisons that branches
/// hang on, over blockIdx, arguments and extents, and powers of eight of a loop's passes. Where
/// threads take part in a linear comparison, it matters whether it holds for all, none or some of a
/// block's. Nothing is executed. Comparisons that are linear tell of whole parts of the grid; of
/// others every block is asked, and of very many a part, drawn evenly. What all blocks away from
/// the grid's ends answer alike is left out unless `ends`: samples take ends apart. Largest kinds
/// first, those beyond `most` in one; a single kind where all decide alike.
[[nodiscard]] BlockKinds decided_kinds(const KernelAnalysis& analysis, const ExecutionInput& input,
                                       std::size_t most, bool ends = false);

}  // namespace forewarp::execution
