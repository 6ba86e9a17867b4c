// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/grid/block_kinds.h"
#include "execution/grid/profile_run.h"

namespace forewarp::execution {

/// Where the other way of a branch that went one way only leads to code that nobody came to, and
/// data decide the way: few blocks of a sample may well have missed those that go there.
struct UnseenCode {
  std::uint32_t branch = 0;  ///< instruction
  std::uint32_t entry = 0;   ///< first instruction of the other way
};
[[nodiscard]] std::vector<UnseenCode> unseen_code(const KernelAnalysis& analysis,
                                                  const Program& program, const PathProfile& paths);

/// Kinds by whether a block comes there early: of all blocks, or of as many at random as a part of
/// the budget allows.
Expected<BlockKinds> kinds_by_code(const Program& program, const ExecutionInput& input,
                                   const std::vector<UnseenCode>& code, const PathProfile& paths,
                                   const ProfileOptions& options);

}  // namespace forewarp::execution
