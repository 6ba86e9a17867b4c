// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// A program reduced to what decides which instructions are executed: branches, what their
/// conditions are computed from, barriers. All else is skipped, but still counted as executed.
/// Stores to global memory are among what is skipped, so values that a kernel passes to itself
/// through it are not followed.
[[nodiscard]] Program control_slice(const Program& program);

/// The first instruction of a slice that brings what other blocks may have left in global memory:
/// the answer of an atomic, a load that sees others' stores; nullopt: none does.
[[nodiscard]] std::optional<std::uint32_t> reads_of_others(const Program& slice);

}  // namespace forewarp::execution
