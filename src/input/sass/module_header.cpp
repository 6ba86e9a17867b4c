// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/module_header.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

constexpr std::uint64_t highest_numbered = 31;  // N of c[N] in operands
// Limit of what an operand can address.
constexpr std::uint64_t most_constant_bytes = std::uint64_t{1} << 16U;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;

/// Takes the last blank-separated word off `text`.
std::string_view take_last_word(std::string_view& text) {
  text = trim(text);
  const std::size_t blank = text.find_last_of(" \t");
  const std::string_view word = text.substr(blank == std::string_view::npos ? 0 : blank + 1);
  text = trim(text.substr(0, text.size() - word.size()));
  return word;
}

std::optional<std::vector<std::uint8_t>> hex_bytes(std::string_view digits) {
  if (digits.empty() || digits.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::uint8_t& byte : bytes) {
    std::string_view pair = digits.substr(0, 2);
    digits.remove_prefix(2);
    if (!take_number(pair, byte, 16) || !pair.empty()) return std::nullopt;
  }
  return bytes;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// Index after the last occurrence of `word`; 0 if there is none.
std::size_t end_of(std::string_view text, std::string_view word) {
  const std::size_t at = text.rfind(word);
  return at == std::string_view::npos ? 0 : at + word.size();
}

/// Adds a variable, replacing an earlier statement about it.
void add(ModuleSymbol symbol, StatedModule& stated) {
  const auto [found, added] = stated.by_name.emplace(symbol.mangled, stated.symbols.size());
  if (added) {
    stated.symbols.push_back(std::move(symbol));
  } else {
    stated.symbols[found->second] = std::move(symbol);
  }
}

}  // namespace

bool read_stated_bank(std::string_view rest, StatedModule& stated) {
  auto bytes = hex_bytes(take_last_word(rest));
  const auto bank = parse_natural(take_last_word(rest));
  if (!bytes || bytes->size() > most_constant_bytes || !bank || *bank == 0 ||
      *bank > highest_numbered)
    return false;
  stated.banks[{std::string(rest), static_cast<std::uint32_t>(*bank)}] = std::move(*bytes);
  return true;
}

bool read_stated_symbol(std::string_view rest, StatedModule& stated) {
  ModuleSymbol symbol;
  const std::size_t at = std::max(end_of(rest, " global "), end_of(rest, " constant "));
  if (at == 0) return false;
  const bool global = rest.substr(0, at).ends_with(" global ");
  symbol.space = global ? MemorySpace::global : MemorySpace::constant;
  const std::vector<std::string_view> words = words_of(rest.substr(at));
  const bool with_content = global && words.size() == 3;
  if (words.size() != (global && !with_content ? 2U : 3U)) return false;
  const auto bank = global ? std::optional<std::uint64_t>(0) : parse_natural(words[0]);
  const auto offset = parse_natural(words[global ? 0 : 1]);
  const auto size = parse_natural(words[global ? 1 : 2]);
  const std::uint64_t most = global ? most_bytes : most_constant_bytes;
  if (!bank || !offset || !size || *bank > highest_numbered || *size == 0) return false;
  if (*offset > most || *size > most - *offset) return false;
  if (with_content) {
    auto content = hex_bytes(words[2]);
    if (!content || content->size() > *size) return false;
    symbol.content = std::move(*content);
    symbol.initialised = true;
  }
  symbol.bank = static_cast<std::uint32_t>(*bank);
  symbol.offset = *offset;
  symbol.size = *size;
  symbol.mangled = trim(rest.substr(0, rest.rfind(global ? " global " : " constant ", at)));
  symbol.name = plain_symbol_name(symbol.mangled);
  add(std::move(symbol), stated);
  return true;
}

}  // namespace forewarp::input
