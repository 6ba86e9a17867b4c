// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/count_text.h"

#include "base/text.h"

namespace forewarp::request {
namespace {

using Count = std::optional<std::uint64_t>;

Count product(Count a, Count b) {
  std::uint64_t value = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &value)) return std::nullopt;
  return value;
}

Count shifted(Count value, Count places) {
  if (!places || *places >= 64) return std::nullopt;
  return product(value, std::uint64_t{1} << *places);
}

/// 16, 0x10, 16K, 16KB, 16KiB, 16B
Count parse_factor(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  text = trim(text);
  if (text.starts_with("0x") || text.starts_with("0X")) return parse_natural(text);
  if (text.ends_with('B')) text.remove_suffix(1);
  const bool binary = text.ends_with('i');
  if (binary) text.remove_suffix(1);
  const std::size_t power =
      text.empty() ? units.npos : units.find(text.back() == 'k' ? 'K' : text.back());
  if (power == units.npos) return binary ? std::nullopt : parse_natural(text);
  text.remove_suffix(1);
  return shifted(parse_natural(text), 10 * (power + 1));
}

Count parse_product(std::string_view text) {
  Count value = 1;
  for (const std::string_view factor : split(text, '*')) {
    value = product(value, parse_factor(factor));
  }
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  const std::size_t shift = text.find("<<");
  if (shift == std::string_view::npos) return parse_product(text);
  return shifted(parse_product(text.substr(0, shift)), parse_natural(trim(text.substr(shift + 2))));
}

}  // namespace forewarp::request
