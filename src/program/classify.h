// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "program/opcode.h"

namespace forewarp::program {

/// The class of an opcode with its modifiers on architecture `sm`. IMAD.WIDE, HFMA2.MMA and I2I run
/// on other pipes than their base mnemonics.
[[nodiscard]] InstructionClass class_of(const OpcodeInfo& info, std::span<const Modifier> modifiers,
                                        std::uint32_t sm);

}  // namespace forewarp::program
