// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "program/operand.h"

namespace forewarp::input {

/// Parses one operand, the text between two commas: prefixes (- ~ ! | and combinations), atom,
/// suffixes in any order. Never fails: unknown forms are words, kept as text. A label (`(.L_x_5))
/// is a word until the kernel's labels are known. Does not set text positions.
[[nodiscard]] Operand parse_operand(std::string_view text);

/// The name in `(NAME), else empty.
[[nodiscard]] std::string_view label_name(std::string_view operand);

}  // namespace forewarp::input
