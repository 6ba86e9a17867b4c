// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::study {

/// The words that a parameter may be, as a compiler gets them, without repetition. Each part of
/// A,B,.. is a word or a range of whole numbers: FROM:TO doubles, FROM:TO:STEP and FROM:TO:*K are
/// those of a sweep. `place` names the option in messages.
Expected<std::vector<std::string>> parameter_words(std::string_view text, std::string_view place);

/// Shapes of a block, one to three sizes each: 32x4, and 32x4:256x8, every axis doubling. Refused:
/// shapes of different numbers of axes.
Expected<std::vector<std::vector<std::string>>> block_shapes(std::string_view text,
                                                             std::string_view place);

/// The same as Python writes a list: [1, 2, 4], range(A, B, STEP), list(..), [2**i for i in
/// range(6)] with or without a condition, 'words', True and False (1 and 0), sums of lists.
Expected<std::vector<std::string>> python_words(std::string_view text);

/// Texts between commas that stand in no parentheses and no quotes.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text, char separator = ',');

}  // namespace forewarp::study
