// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hardware/gpu.h"

namespace forewarp::memory {

/// Bytes of L1 beside the shared memory of `blocks` resident blocks of `shared` bytes each.
/// `percent` >= 0 requests a carve-out; otherwise the smallest that holds the blocks is used.
[[nodiscard]] double l1_beside(const Gpu& gpu, std::uint32_t blocks, std::uint32_t shared,
                               double percent = -1);

}  // namespace forewarp::memory
