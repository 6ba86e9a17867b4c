// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::tuning {

/// The values of a parameter as words for the compiler, without repetition. Each part of A,B,.. is
/// a word or a range of whole numbers: FROM:TO doubles, FROM:TO:STEP and FROM:TO:*K are those of a
/// sweep. `place` names the option in messages.
Expected<std::vector<std::string>> parameter_words(std::string_view text, std::string_view place);

/// Shapes of a block, of one to three sizes: 32x4, or the range 32x4:256x8, in which every axis
/// doubles. Refuses shapes with different numbers of axes.
Expected<std::vector<std::vector<std::string>>> block_shapes(std::string_view text,
                                                             std::string_view place);

/// The values of a Python list: [1, 2, 4], range(A, B, STEP), list(..), [2**i for i in range(6)]
/// with or without a condition, 'words', True and False (1 and 0), sums of lists.
Expected<std::vector<std::string>> python_words(std::string_view text);

/// Splits at commas outside of parentheses, brackets and quotes.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text, char separator = ',');

}  // namespace forewarp::tuning
