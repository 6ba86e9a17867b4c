// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Fills `out` with what a buffer holds at byte `offset` before the launch, known content only.
void buffer_content(const ExecutionBuffer& buffer, std::uint64_t offset,
                    std::span<std::uint8_t> out);

}  // namespace forewarp::execution
