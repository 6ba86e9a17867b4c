// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "input/binary/encoding_table.h"

namespace forewarp::input {

/// Appends the text of an instruction as the vendor's disassembler prints it ("@P0 FADD R1, R2,
/// R3"), branch targets as absolute addresses. False, and nothing appended, for words that the
/// table does not cover.
[[nodiscard]] bool append_instruction(const EncodingTable& table, const InstructionWord& word,
                                      std::uint32_t address, std::string& text);

}  // namespace forewarp::input
