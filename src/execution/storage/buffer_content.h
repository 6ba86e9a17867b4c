// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "execution/storage/execution_input.h"
#include "execution/storage/memory_page.h"

namespace forewarp::execution {

/// Fills `out` with the initial content of a buffer from byte `offset` on; only for known content.
void buffer_content(const ExecutionBuffer& buffer, std::uint64_t offset,
                    std::span<std::uint8_t> out);

/// Whether its elements are floating numbers, as far as their type is known.
[[nodiscard]] bool holds_floats(const BufferContent& content);

/// What every page of a buffer holds whose floating content is not known: numbers from 0 to 1.
using OrdinaryPage = std::array<std::uint8_t, MemoryPage::bytes>;
[[nodiscard]] const OrdinaryPage& ordinary_page(const BufferContent& content);

}  // namespace forewarp::execution
