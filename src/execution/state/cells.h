// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/state/lanes.h"

namespace forewarp::execution {

/// A cell is one 32-bit register of all lanes. A warp's cells are: zeros (read as RZ), a sink
/// (written as RZ), scratch for modified sources, then the general and the uniform registers. A
/// uniform register holds its value in every lane.
namespace cell {
inline constexpr std::uint32_t zero = 0;            ///< four, for reads of RZ as a group
inline constexpr std::uint32_t sink = 4;            ///< four, for writes to RZ as a group
inline constexpr std::uint32_t scratch = 8;         ///< two for each of four sources
inline constexpr std::uint32_t general = 16;        ///< R0
inline constexpr std::uint32_t pad = 4;             ///< after the last register of each file
inline constexpr std::uint32_t words = lane_count;  ///< 32-bit words of one cell
}  // namespace cell

/// Places in a warp's array of predicates, each one bit per lane.
namespace predicate {
inline constexpr std::uint8_t always = 7;    ///< PT
inline constexpr std::uint8_t sink = 8;      ///< target of writes to PT
inline constexpr std::uint8_t uniform = 16;  ///< UP0; UPT is 23
inline constexpr std::uint8_t uniform_always = 23;
inline constexpr std::uint8_t condition_code = 24;  ///< its first bit; before sm_70
inline constexpr std::uint8_t is_zero = 24;
inline constexpr std::uint8_t is_negative = 25;
inline constexpr std::uint8_t carry = 26;
inline constexpr std::uint8_t overflow = 27;
inline constexpr std::uint8_t second_carry = 28;  ///< three words may carry two
inline constexpr std::uint8_t count = 29;
}  // namespace predicate

}  // namespace forewarp::execution
