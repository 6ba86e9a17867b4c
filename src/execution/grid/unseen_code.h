// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/grid/block_kinds.h"
#include "execution/grid/profile_run.h"

namespace forewarp::execution {

/// A branch on data that always went one way and whose other way leads to code that was never
/// reached: a sample may well have missed the few blocks that go there.
struct UnseenCode {
  std::uint32_t branch = 0;  ///< instruction
  std::uint32_t entry = 0;   ///< first instruction of the other way
};
[[nodiscard]] std::vector<UnseenCode> unseen_code(const KernelAnalysis& analysis,
                                                  const Program& program, const PathProfile& paths);

/// Kinds of blocks by whether their beginning reaches this code: of all blocks, or of as many
/// random ones as a part of the budget allows.
Expected<BlockKinds> kinds_by_code(const Program& program, const ExecutionInput& input,
                                   const std::vector<UnseenCode>& code, const PathProfile& paths,
                                   const ProfileOptions& options);

}  // namespace forewarp::execution
