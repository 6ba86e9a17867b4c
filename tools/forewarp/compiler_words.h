// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace forewarp::cli {

/// Rewrites a command line: words that are meant for nvcc become --nvcc-option=WORD: -DNAME, -D
/// NAME, -Ifolder, -std=c++17, -use_fast_math, --use_fast_math and their kin, and the word behind
/// --nvcc-option. All else stays as it is, also all behind "--".
[[nodiscard]] std::vector<std::string> with_compiler_words(std::vector<std::string> words);

}  // namespace forewarp::cli
