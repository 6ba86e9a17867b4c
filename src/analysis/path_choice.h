// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/control_flow.h"

namespace forewarp {

struct FlowFacts;

/// The branch that decides by which of two ways a block is reached.
struct PathChoice {
  BlockId branch = no_block;      ///< no_block: no single branch decides
  BlockId when_taken = no_block;  ///< predecessor by which the block is reached then
  BlockId otherwise = no_block;
};

/// `from`: the predecessors of `block` without back edges, each once.
[[nodiscard]] PathChoice path_choice(const FlowFacts& facts, BlockId block,
                                     const std::vector<BlockId>& from);

}  // namespace forewarp
