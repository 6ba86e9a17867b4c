// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::base {

[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Conversions of whole strings; nullopt if anything is left over. Integers may have 0x and a sign.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Like parse_integer, without a sign and up to 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_natural(std::string_view text);

/// "0x1a0", as listings print addresses and offsets.
[[nodiscard]] std::string hex(std::uint64_t value, int digits = 1);

/// The shortest readable text with at least `digits` significant digits: 146.7, 0.00542, 1.5e9.
[[nodiscard]] std::string significant(double value, int digits = 4);

/// The name closest to `text` (edit distance at most 3), for "did you mean".
[[nodiscard]] std::optional<std::string> closest(std::string_view text,
                                                 const std::vector<std::string>& names);

}  // namespace forewarp::base
