// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/warp/block.h"

namespace forewarp::execution {

/// A warp has come to the barrier that it names. Lets all waiting warps go on once enough are
/// there.
void arrive_at_barrier(Block& block, Warp& warp);

/// A warp has ended: barriers that wait for all warps may be complete now.
void release_complete_barriers(Block& block);

}  // namespace forewarp::execution
