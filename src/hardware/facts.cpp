// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/facts.h"

#include <array>

#include "base/diagnostic.h"
#include "base/text.h"

namespace forewarp::hardware {
namespace {

constexpr std::array<std::string_view, 6> names = {"datasheet", "vendor_tool", "measured",
                                                   "published", "derived",     "assumed"};

std::string shown_value(const Fact& fact) {
  switch (fact.kind) {
    case FactKind::word:
      return '\'' + fact.text + '\'';
    case FactKind::list:
      return fact.values.empty() ? "an empty list" : "a list";
    case FactKind::flag:
      return fact.value != 0 ? "true" : "false";
    case FactKind::number:
      break;
  }
  return significant(fact.value);
}

std::string wanted(const FactType& type) {
  if (type.kind == FactKind::word) return "words";
  if (type.kind == FactKind::flag) return "true or false, or 1 or 0";
  const bool plain = type.unit == "1" || type.unit == "*";
  const std::string unit = plain ? "" : " in " + std::string(type.unit);
  return (type.kind == FactKind::list ? "a list of numbers" : "a number") + unit;
}

bool is_of(const Fact& fact, const FactType& type) {
  if (fact.kind == FactKind::word) return type.kind == FactKind::word && !fact.text.empty();
  if (fact.kind == FactKind::list)
    return (type.kind == FactKind::list || type.or_list) && !fact.values.empty();
  if (type.kind == FactKind::flag) return fact.value == 0 || fact.value == 1;
  return fact.kind == type.kind;
}

}  // namespace

Expected<void> check_type(std::string_view path, const Fact& fact, const FactType& type) {
  const std::string place = place_in_file(fact.file, fact.line);
  const std::string name = '\'' + std::string(path) + '\'';
  if (!is_of(fact, type)) {
    return Diagnostic{place, name + " is " + shown_value(fact), wanted(type), ""};
  }
  if (type.kind == FactKind::word || type.unit == "*" || fact.unit == type.unit) return {};
  return Diagnostic{place, name + " is in '" + fact.unit + "'", std::string(type.unit), ""};
}

std::string_view confidence_name(Confidence confidence) {
  return names[static_cast<std::size_t>(confidence)];
}

std::optional<Confidence> confidence_by_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Confidence>(i);
  }
  return std::nullopt;
}

}  // namespace forewarp::hardware
