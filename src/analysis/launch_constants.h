// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// The launch extent (of block or grid) at `offset` of constant bank 0 in code for architecture
/// `sm`, if there is one. A convention of the driver, taken from compiled probes.
[[nodiscard]] std::optional<LaunchSymbol> launch_constant(std::uint32_t sm, std::uint32_t offset);

}  // namespace forewarp::analysis
