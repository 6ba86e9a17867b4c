// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::input {

/// The line with blanks in place of its comments, so that columns stay. `inside`: whether a
/// comment of several lines is open, before and after.
[[nodiscard]] std::string without_comments(std::string_view line, bool& inside);

/// An instruction as a listing prints it: shorthands of opcodes spelt out (ADD, MUL, MAD and COS
/// are IADD, FMUL, FFMA and MUFU.COS), decimal integers in hexadecimal, F1.5 as 1.5, R63 as RZ.
/// What stands before the first operand keeps its place unless the opcode is a shorthand.
[[nodiscard]] std::string as_listed(std::string_view statement);

}  // namespace forewarp::input
