// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::result {

/// Appends the shortest text that reads back as `value`; whole numbers without exponent below
/// 1e15; "null" when not finite.
void append_json_number(std::string& out, double value);

/// Whether `text` is exactly what append_json_number or a JSON integer of 64 bits would print: then
/// it may be written as a number and still reads back as the same text.
[[nodiscard]] bool is_canonical_number(std::string_view text);

/// Appends `text` in quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace forewarp::result
