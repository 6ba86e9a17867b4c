// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/row_scope.h"

#include <cmath>
#include <limits>

#include "base/text.h"
#include "measured/points/formula.h"
#include "request/argument_text.h"

namespace forewarp::measured {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RowScope::RowScope(const CsvTable& table) : table_(table) {}
RowScope::~RowScope() = default;

void RowScope::load(std::size_t row) {
  words_.clear();
  for (auto& [name, value] : numbers_) value = none;
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    set_word(table_.columns[i], table_.rows[row][i]);
  }
}

void RowScope::set_word(const std::string& column, std::string word) {
  numbers_[column] = parse_number(trim(word)).value_or(none);
  words_[column] = std::move(word);
}

void RowScope::set_number(const std::string& column, double value) {
  words_[column] = exact_text(value);
  numbers_[column] = value;
}

const std::string* RowScope::word(std::string_view column) const {
  const auto found = words_.find(column);
  return found == words_.end() ? nullptr : &found->second;
}

double RowScope::number(std::string_view column) const {
  const auto found = numbers_.find(column);
  return found == numbers_.end() ? none : found->second;
}

Expected<std::string> RowScope::text(std::string_view pattern) const {
  std::string result;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    result += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    if (pattern.substr(open).starts_with("{{")) {
      result += '{';
      pattern.remove_prefix(open + 2);
      continue;
    }
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) {
      return Diagnostic{"", "'" + std::string(pattern) + "' has no '}'", "{COLUMN}", ""};
    }
    const std::string_view name = pattern.substr(open + 1, close - open - 1);
    const std::string* value = word(name);
    if (value == nullptr) {
      return Diagnostic{"", "there is no column '" + std::string(name) + "'", "",
                        "columns: " + join(table_.columns, ", ")};
    }
    result += *value;
    pattern.remove_prefix(close + 1);
  }
  return result;
}

Expected<Formula*> RowScope::formula(const std::string& expression) {
  const auto found = formulas_.find(expression);
  if (found != formulas_.end()) return found->second.get();
  auto made = Formula::compile(expression, numbers_);
  if (!made) return std::move(made).error();
  return formulas_.emplace(expression, *std::move(made)).first->second.get();
}

Expected<void> RowScope::check(const std::string& expression) {
  const auto compiled = formula(expression);
  if (!compiled) return compiled.error();
  return {};
}

Expected<double> RowScope::value(const std::string& expression) {
  auto compiled = formula(expression);
  if (!compiled) return std::move(compiled).error();
  const auto result = (*compiled)->value();
  if (!result) return result.error();
  if (!std::isfinite(*result)) {
    return Diagnostic{"", "'" + expression + "' has no value in this row",
                      "numbers in all of its columns", ""};
  }
  return result;
}

}  // namespace forewarp::measured
