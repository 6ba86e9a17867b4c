// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/warp/block.h"

namespace forewarp::execution {

/// Records a warp's arrival at its barrier; releases the waiting warps once enough have arrived.
void arrive_at_barrier(Block& block, Warp& warp);

/// Call after a warp has ended, or has arrived without waiting: barriers may now be complete.
void release_complete_barriers(Block& block);

}  // namespace forewarp::execution
