// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// Words of C++ declarations, as far as needed for kernels and their parameters.

/// Starts the line before each kernel in a listing of cuobjdump.
inline constexpr std::string_view function_heading = "\t\tFunction : ";

[[nodiscard]] bool is_word(char c);

/// Whether to keep lines between #if and #endif, which may be alternatives.
enum class Conditional : std::uint8_t { kept, dropped };

/// A source without comments and preprocessor lines, each run of white space replaced by one blank.
/// String literals remain, as declarations have none.
[[nodiscard]] std::string declarations_of(std::string_view source, Conditional conditional);

/// The last word of a text: "const float *x" -> "x".
[[nodiscard]] std::string_view word_before(std::string_view text);

/// The first word of a text, which begins with it; empty if it begins with anything else.
[[nodiscard]] std::string_view first_word(std::string_view text);

/// Whether `word` occurs as a whole word.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

/// Index after the bracket that closes the one at `open`, '(', '<' or '{'; npos if there is none.
[[nodiscard]] std::size_t behind_closing(std::string_view text, std::size_t open);

/// Parts between commas outside all brackets; none for "" and "void".
[[nodiscard]] std::vector<std::string_view> split_outside_brackets(std::string_view list);

/// A type without const, volatile, __restrict__ and struct: "float const*" and "const float *" are
/// "float*".
[[nodiscard]] std::string bare_type(std::string_view type);

}  // namespace forewarp::input
