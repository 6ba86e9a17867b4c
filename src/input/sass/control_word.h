// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "input/sass/isa_conventions.h"
#include "program/instruction.h"

namespace forewarp::input {

/// Decodes the 21-bit field of sm_50 and later: stall 3:0, stay 4, write barrier 7:5, read barrier
/// 10:8, wait mask 16:11, reuse 20:17.
[[nodiscard]] Control decode_field(std::uint32_t field);

/// Decodes one instruction's field of a shared control word (sm_32..37 and sm_50..62). `known` is
/// false if the address is no slot of the bundle or the family has no such words.
[[nodiscard]] Control decode_shared(ControlLayout layout, std::uint64_t word,
                                    std::uint32_t address);

/// Decodes the schedule in the high word of an instruction of sm_70 and later.
[[nodiscard]] Control decode_embedded(std::uint64_t high_word);

/// sm_32..37: the field value that issues an instruction together with the next one.
inline constexpr std::uint8_t dual_issue_field = 0x04;

}  // namespace forewarp::input
