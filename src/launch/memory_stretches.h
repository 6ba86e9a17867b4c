// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "launch/stages.h"

namespace forewarp::launch {

/// Buffers are placed into the memory's segments one after the other, and the grid walks through
/// all of them from their beginnings at once: where each stretch of warps has its data, and how
/// fast the slowest segment lets these move. Empty where one segment holds everything.
[[nodiscard]] std::array<MemoryStretch, 3> memory_stretches(const Executed& executed);

}  // namespace forewarp::launch
