// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::tests {

/// R4 to R9 of each lane before a listing, R10 to R17 behind it.
using LaneRows = std::vector<std::array<std::uint32_t, 32>>;

/// Runs one warp over `code`, which ends without EXIT and leaves R2 and R3 alone; R0 is
/// the lane's number. `before` begins with R4. Empty: it could not be run.
[[nodiscard]] LaneRows rows_after(const std::vector<std::string>& code, const LaneRows& before,
                                  std::uint32_t sm = 90);

/// R10 of the first lane, with these in R4, R6 and R8.
[[nodiscard]] std::uint32_t word_after(const std::string& line, std::uint32_t r4,
                                       std::uint32_t r6 = 0, std::uint32_t r8 = 0,
                                       std::uint32_t sm = 90);

}  // namespace forewarp::tests
