// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "characterise/findings/characterisation.h"
#include "hardware/gpu.h"

namespace forewarp::cli {

/// What was found, beside the numbers of `board`; then what was not.
///
///   Example 7000 (7.0), 2026-03-01: 8 numbers measured, 6 told by the driver, 3 as v100-pcie-16
///   fact                  value  unit     deviation  v100-pcie-16  ratio  verdict  tests
///   class.fp32.latency    4      cycles   0.0003     4             1.00   agrees   chain_ffma
/// With `threads`: then each number as it was measured with so many in the grid.
[[nodiscard]] std::string characterisation_as_text(const Characterisation& found, const Gpu& board,
                                                   std::optional<std::uint64_t> threads);

/// Schema "forewarp.characterisation/1": docs/characterise.md.
[[nodiscard]] std::string characterisation_as_json(const Characterisation& found, const Gpu& board,
                                                   std::optional<std::uint64_t> threads);

}  // namespace forewarp::cli
