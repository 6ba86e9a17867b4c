// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/exports/export_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace forewarp::measured {

namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The sign that begins the fraction; none: both kinds separate thousands, or there is none.
std::optional<char> fraction_sign(std::string_view text) {
  const auto commas = std::count(text.begin(), text.end(), ',');
  const auto dots = std::count(text.begin(), text.end(), '.');
  if (commas > 0 && dots > 0) return text.rfind(',') > text.rfind('.') ? ',' : '.';
  if (dots == 1) return '.';
  if (commas != 1) return {};
  const std::size_t after = text.size() - text.find(',') - 1;
  constexpr std::size_t thousand = 3;
  const bool exponent = text.find_first_of("eE") != std::string_view::npos;
  return after == thousand && !exponent ? std::nullopt : std::optional<char>(',');
}

std::string_view without_denominator(std::string_view unit) {
  return trim(unit.substr(0, unit.find('/')));
}

/// Position of the parenthesis that opens the list of parameters; npos where there is none.
std::size_t parameter_list(std::string_view name) {
  int angles = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++angles;
    if (name[i] == '>') --angles;
    if (name[i] == '(' && angles <= 0) return i;
  }
  return std::string_view::npos;
}

/// Without the words for a namespace that has no name, in arguments too.
std::string without_anonymous(std::string_view text) {
  std::string name(text);
  for (const std::string_view word : {"(anonymous namespace)::", "<unnamed>::"}) {
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word)) {
      name.erase(at, word.size());
    }
  }
  return name;
}

}  // namespace

std::optional<double> exported_number(std::string_view text) {
  text = trim(text);
  if (text.ends_with('%')) text = trim(text.substr(0, text.size() - 1));
  const auto sign = fraction_sign(text);
  std::string plain;
  for (const char c : text) {
    const bool separates = c == '\'' || c == ' ' || c == ',' || c == '.';
    if (sign && c == *sign) {
      plain += '.';
    } else if (!separates) {
      plain += c;
    }
  }
  if (plain.empty() || !(is_digit(plain.front()) || plain.front() == '-' || plain.front() == '.')) {
    return {};
  }
  const auto number = parse_number(plain);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

double unit_factor(std::string_view unit, bool binary) {
  unit = without_denominator(unit);
  const std::string word = lower(unit);
  constexpr std::array<std::pair<std::string_view, double>, 4> times{
      {{"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"", 1}}};
  for (const auto& [prefix, factor] : times) {
    for (const std::string_view name : {"second", "seconds", "sec", "s"}) {
      if (word == std::string(prefix) + std::string(name)) return factor;
    }
  }
  constexpr std::array<std::pair<char, int>, 4> prefixes{{{'k', 1}, {'m', 2}, {'g', 3}, {'t', 4}}};
  constexpr std::array<std::string_view, 9> countable{"b",    "byte",   "bytes", "hz",     "inst",
                                                      "warp", "sector", "cycle", "request"};
  for (const auto& [letter, power] : prefixes) {
    if (word.empty() || word[0] != letter ||
        std::islower(static_cast<unsigned char>(unit[0])) != 0) {
      continue;
    }
    const std::string_view counted = std::string_view(word).substr(1);
    const bool known = std::find(countable.begin(), countable.end(), counted) != countable.end();
    if (known) return std::pow(binary ? 1024.0 : 1000.0, power);
  }
  return 1;
}

bool is_time_unit(std::string_view unit) {
  const std::string word = lower(trim(unit));
  const bool prefixed = word.size() > 1 && (word[0] == 'n' || word[0] == 'u' || word[0] == 'm');
  const std::string_view base = std::string_view(word).substr(prefixed ? 1 : 0);
  return base == "s" || base == "sec" || base == "second" || base == "seconds";
}

std::optional<Extent> exported_extent(std::string_view text) {
  text = trim(text);
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  const auto parts = split(text, ',');
  Extent extent{1, 1, 1};
  if (parts.size() > extent.size()) return {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto size = parse_natural(trim(parts[i]));
    if (!size || *size == 0 || *size > std::numeric_limits<std::uint32_t>::max()) return {};
    extent[i] = static_cast<std::uint32_t>(*size);
  }
  return extent;
}

std::string exported_kernel_name(std::string_view text) {
  const std::string whole = without_anonymous(trim(text));
  std::string_view name = whole;
  name = trim(name.substr(0, parameter_list(name)));
  name = name.substr(0, name.find('<'));
  name = name.substr(0, name.find(" ["));
  for (const std::string_view before : {"::", " "}) {
    const std::size_t at = name.rfind(before);
    if (at != std::string_view::npos) name.remove_prefix(at + before.size());
  }
  return std::string(name);
}

std::string exported_device(std::string_view text) {
  text = trim(text);
  const std::size_t open = text.rfind(" (");
  if (open == std::string_view::npos || !text.ends_with(')')) return std::string(text);
  const std::string_view number = text.substr(open + 2, text.size() - open - 3);
  const bool index = !number.empty() && std::all_of(number.begin(), number.end(), is_digit);
  return std::string(index ? text.substr(0, open) : text);
}

}  // namespace forewarp::measured
