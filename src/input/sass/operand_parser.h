// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "program/operand.h"

namespace forewarp::input {

/// Reads one operand as it stands between two commas: prefix (- ~ ! | and their combinations),
/// atom, suffixes in any order. Never fails: what is none of the known forms is a word, kept as
/// text. A label (`(.L_x_5)) is a word until the kernel's labels are known. Text places are not
/// set.
[[nodiscard]] Operand parse_operand(std::string_view text);

/// The name inside `(NAME), or nothing.
[[nodiscard]] std::string_view label_name(std::string_view operand);

}  // namespace forewarp::input
