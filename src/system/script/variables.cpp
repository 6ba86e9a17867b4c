// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/variables.h"

#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace forewarp::system {
namespace {

constexpr double largest_whole = 9007199254740992.0;  // whole numbers of a double end there

std::string text_of(const VariableValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

Diagnostic refused(const std::string& name, const std::string& text, const char* expected) {
  return {"--set " + name + "=" + text, "'" + text + "' is not what the variable holds", expected,
          ""};
}

Expected<VariableValue> as_type_of(const VariableValue& usual, const std::string& name,
                                   const std::string& text) {
  if (std::holds_alternative<std::string>(usual)) return VariableValue(text);
  if (std::holds_alternative<bool>(usual)) {
    if (text == "true") return VariableValue(true);
    if (text == "false") return VariableValue(false);
    return refused(name, text, "true or false");
  }
  const auto number = parse_number(text);
  if (std::holds_alternative<double>(usual)) {
    if (!number || !std::isfinite(*number)) return refused(name, text, "a number");
    return VariableValue(*number);
  }
  if (const auto whole = parse_integer(text)) return VariableValue(*whole);
  if (!number || std::abs(*number) > largest_whole || *number != std::floor(*number)) {
    return refused(name, text, "a whole number");
  }
  return VariableValue(static_cast<std::int64_t>(*number));
}

}  // namespace

Expected<VariableValue> Variables::declare(const std::string& name, const VariableValue& usual) {
  const auto found = set_.find(name);
  auto value =
      found == set_.end() ? Expected<VariableValue>(usual) : as_type_of(usual, name, found->second);
  if (value) used_[name] = text_of(*value);
  return value;
}

Expected<void> Variables::check() const {
  for (const auto& [name, text] : set_) {
    if (used_.contains(name)) continue;
    std::vector<std::string> names;
    for (const auto& [known, value] : used_) names.push_back(known);
    const auto nearest = closest(name, names);
    return Diagnostic{
        "--set " + name, "the application has no such variable",
        names.empty() ? "none: it declares none with sim.variables" : join(names, ", "),
        nearest ? "did you mean '" + *nearest + "'?" : ""};
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> Variables::used() const {
  return {used_.begin(), used_.end()};
}

}  // namespace forewarp::system
