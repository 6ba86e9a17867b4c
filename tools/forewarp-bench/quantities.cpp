// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "quantities.h"

#include <cmath>
#include <muParser.h>

#include "base/text.h"

namespace forewarp::cli {

namespace {

Diagnostic refused(const std::string& text, const Quantities& known, const std::string& place,
                   const std::string& why) {
  std::string names;
  for (const auto& [name, value] : known) names += (names.empty() ? "" : ", ") + name;
  return {place, "'" + text + "' " + why,
          names.empty() ? "a number" : "a number, or arithmetic of numbers and " + names, ""};
}

}  // namespace

Expected<double> signed_quantity(const std::string& text, const Quantities& known,
                                 const std::string& place) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) return refused(text, known, place, "is too long");
  if (const auto number = parse_number(text); number && std::isfinite(*number)) return *number;
  std::map<std::string, double> values = known;  // the parser wants places that it may write to
  try {
    mu::Parser parser;
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    parser.SetExpr(text);
    const double value = parser.Eval();
    if (!std::isfinite(value)) return refused(text, known, place, "has no value");
    return value;
  } catch (const mu::ParserError&) {
    return refused(text, known, place, "is no number");
  }
}

Expected<double> quantity(const std::string& text, const Quantities& known,
                          const std::string& place) {
  const auto value = signed_quantity(text, known, place);
  if (value && *value < 0) return refused(text, known, place, "is below zero");
  return value;
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
