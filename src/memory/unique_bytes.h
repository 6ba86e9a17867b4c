// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "execution/access/block_synthesis.h"
#include "hardware/gpu.h"

namespace forewarp::memory {

/// What a grid touches of global memory; each byte counts once.
struct UniqueBytes {
  double read = 0, written = 0, any = 0;  ///< in whole sectors
  double pages = 0;
};

/// Union of all lanes' bytes over all blocks, from the affine functions of addresses; nullopt if
/// addresses are not affine or the union has too many pieces.
[[nodiscard]] std::optional<UniqueBytes> unique_bytes(const AccessStreams& streams,
                                                      const BlockSynthesis& synthesis,
                                                      const Gpu& gpu);

}  // namespace forewarp::memory
