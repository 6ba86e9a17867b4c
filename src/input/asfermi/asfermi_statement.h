// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::input {

/// The line with comments replaced by blanks, so that columns stay the same. `inside`: whether a
/// multi-line comment is open, before and after the line.
[[nodiscard]] std::string without_comments(std::string_view line, bool& inside);

/// An instruction as a listing prints it: shorthands of opcodes expanded (ADD, MUL, MAD and COS are
/// IADD, FMUL, FFMA and MUFU.COS), decimal integers in hexadecimal, F1.5 as 1.5, R63 as RZ. Text
/// before the first operand keeps its columns unless the opcode is a shorthand.
[[nodiscard]] std::string as_listed(std::string_view statement);

}  // namespace forewarp::input
