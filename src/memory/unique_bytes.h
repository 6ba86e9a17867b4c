// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "execution/access/block_synthesis.h"
#include "hardware/gpu.h"

namespace forewarp::memory {

/// What a grid touches of global memory, each byte once.
struct UniqueBytes {
  double read = 0, written = 0, any = 0;  ///< in whole sectors
  double pages = 0;
};

/// Union of the lanes' bytes over all blocks, from the functions that addresses follow; nothing
/// where they do not, or where the union falls into too many pieces.
[[nodiscard]] std::optional<UniqueBytes> unique_bytes(const AccessStreams& streams,
                                                      const BlockSynthesis& synthesis,
                                                      const Gpu& gpu);

}  // namespace forewarp::memory
