// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// What the word at `offset` of constant bank 0 holds in code for architecture `sm` when it is the
/// extent of the block or of the grid. A convention of the driver, read off compiled probes.
[[nodiscard]] std::optional<LaunchSymbol> launch_constant(std::uint32_t sm, std::uint32_t offset);

}  // namespace forewarp::analysis
