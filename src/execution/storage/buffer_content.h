// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Fills `out` with the initial content of a buffer from byte `offset` on; only for known content.
void buffer_content(const ExecutionBuffer& buffer, std::uint64_t offset,
                    std::span<std::uint8_t> out);

}  // namespace forewarp::execution
