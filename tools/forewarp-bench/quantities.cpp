// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "quantities.h"

#include <cmath>
#include <muParser.h>

#include "base/text.h"

namespace forewarp::cli {

Expected<double> quantity(const std::string& text, const Quantities& known,
                          const std::string& place) {
  const auto refused = [&](const std::string& why) {
    std::string names;
    for (const auto& [name, value] : known) names += (names.empty() ? "" : ", ") + name;
    return Diagnostic{
        place, "'" + text + "' " + why,
        names.empty() ? "a number" : "a number, or arithmetic of numbers and " + names, ""};
  };
  constexpr std::size_t longest = 200;
  if (text.size() > longest) return refused("is too long");
  if (const auto number = parse_number(text); number && std::isfinite(*number) && *number >= 0) {
    return *number;
  }
  std::map<std::string, double> values = known;  // the parser wants places that it may write to
  try {
    mu::Parser parser;
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    parser.SetExpr(text);
    const double value = parser.Eval();
    if (!std::isfinite(value) || value < 0) return refused("has no value, or one below zero");
    return value;
  } catch (const mu::ParserError&) {
    return refused("is no number");
  }
}

Expected<std::uint64_t> whole_quantity(const std::string& text, const Quantities& known,
                                       const std::string& place) {
  const auto value = quantity(text, known, place);
  if (!value) return value.error();
  constexpr double most = 9e15;  // whole numbers are exact up to here
  if (*value > most) {
    return Diagnostic{place, "'" + text + "' is " + significant(*value), "at most 9e15", ""};
  }
  return static_cast<std::uint64_t>(*value);
}

}  // namespace forewarp::cli
