// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace forewarp::cli {
namespace {

constexpr std::string_view ours = "--nvcc-option";
constexpr std::string_view letters[] = {"-D", "-U", "-I"};
constexpr std::string_view valued[] = {"std",      "maxrregcount", "ftz",
                                       "prec-div", "prec-sqrt",    "fmad"};
constexpr std::string_view plain[] = {"use_fast_math", "lineinfo", "extended-lambda",
                                      "expt-relaxed-constexpr"};

template <typename Names>
bool among(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Words of nvcc that one word begins: 0 none, 1 itself, 2 with the next.
int words_for_compiler(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return 0;
  if (among(letters, word.substr(0, 2))) return word.size() == 2 ? 2 : 1;
  const std::string_view name = word.substr(word[1] == '-' ? 2 : 1);
  if (among(plain, name)) return 1;
  const std::size_t equals = name.find('=');
  if (!among(valued, name.substr(0, equals))) return 0;
  return equals == std::string_view::npos ? 2 : 1;
}

}  // namespace

std::vector<std::string> with_compiler_words(std::vector<std::string> words) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const bool more = i + 1 < words.size();
    const int count = words_for_compiler(words[i]);
    if (words[i] == ours && more) {
      result.push_back(std::string(ours) + '=' + words[++i]);
    } else if (count == 1) {
      result.push_back(std::string(ours) + '=' + words[i]);
    } else if (count == 2 && more) {
      const bool letter = words[i].size() == 2;
      const std::string joined = words[i] + (letter ? "" : "=") + words[i + 1];
      result.push_back(std::string(ours) + '=' + joined);
      ++i;
    } else {
      result.push_back(std::move(words[i]));
    }
  }
  return result;
}

}  // namespace forewarp::cli
