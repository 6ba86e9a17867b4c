// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/board_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace forewarp::hardware {
namespace {

constexpr double gigabyte = 1024.0 * 1024 * 1024;
// A driver may state a rounded size, or one without the memory that it reserves.
constexpr double size_tolerance = 0.03;

bool is_brand(std::string_view word) {
  static constexpr std::array<std::string_view, 6> brands = {"nvidia", "geforce", "tesla",
                                                             "quadro", "r",       "tm"};
  return std::find(brands.begin(), brands.end(), word) != brands.end();
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// A name split into its words without brands, and its memory size.
struct TakenApart {
  std::vector<std::string> words;
  std::optional<double> gigabytes;
};

TakenApart take_apart(std::string_view name) {
  TakenApart parts;
  for (const std::string& word : split_words(name)) {
    if (is_brand(word)) continue;
    // "32GB" or "32 GB"; in the latter the number is the preceding word.
    const bool whole = word == "gb" || word == "gib";
    std::string digits = whole && !parts.words.empty() ? parts.words.back() : word;
    if (!whole && digits.ends_with("gb")) digits.resize(digits.size() - 2);
    const bool sized = whole || digits.size() < word.size();
    const auto size = sized ? parse_natural(digits) : std::nullopt;
    if (!size) {
      parts.words.push_back(word);
      continue;
    }
    if (whole) parts.words.pop_back();
    parts.gigabytes = static_cast<double>(*size);
  }
  return parts;
}

enum class Fit { none, within, end };

/// Whether consecutive words read as `wanted`, and whether they are the last ones.
Fit fit_of(const std::vector<std::string>& words, const std::string& wanted) {
  Fit best = Fit::none;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string row;
    for (std::size_t i = first; i < words.size() && row.size() < wanted.size(); ++i) {
      row += words[i];
      if (row == wanted) best = std::max(best, i + 1 == words.size() ? Fit::end : Fit::within);
    }
  }
  return best;
}

bool has_memory(const BoardName& board, double gigabytes) {
  return std::fabs(board.memory_bytes / (gigabytes * gigabyte) - 1) < size_tolerance;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const std::string_view word : split(name, ' ')) {
    const std::string part = lower(word);
    if (!is_brand(part) && part != "(r)") plain += part;
  }
  std::erase(plain, '-');
  return plain;
}

std::vector<BoardName> boards_named(std::string_view asked, const std::vector<BoardName>& boards) {
  const TakenApart parts = take_apart(asked);
  const std::string wanted = join(parts.words, "");
  if (wanted.empty()) return {};
  std::vector<BoardName> within, ending;
  for (const BoardName& board : boards) {
    if (parts.gigabytes && !has_memory(board, *parts.gigabytes)) continue;
    const Fit fit = std::max(fit_of(take_apart(board.name).words, wanted),
                             fit_of(split_words(board.id), wanted));
    if (fit == Fit::none) continue;
    within.push_back(board);
    if (fit == Fit::end) ending.push_back(board);
  }
  // Words without a digit name a family: a name that ends with them is no better match.
  const bool figure = wanted.find_first_of("0123456789") != std::string::npos;
  return ending.empty() || !figure ? within : ending;
}

}  // namespace forewarp::hardware
