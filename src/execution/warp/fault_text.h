// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "execution/warp/block.h"
#include "execution/warp/block_runner.h"

namespace forewarp::execution {

/// One line on why a block stopped: the instruction, the missing value with the load or parameter
/// that it comes from, and the option that supplies it.
[[nodiscard]] Diagnostic describe_fault(const Block& block, const BlockFault& failed);

}  // namespace forewarp::execution
