// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "measured/points/csv_table.h"

namespace forewarp::measured {

class Formula;

/// The columns of one row by name, for texts with {column} and for expressions over numeric ones.
/// Expressions are compiled once and serve every row: + - * / ^, comparisons, && ||, a ? b : c,
/// min, max, rint, floor, ceil and the other functions of muParser.
class RowScope {
 public:
  explicit RowScope(const CsvTable& table);
  ~RowScope();
  RowScope(const RowScope&) = delete;
  RowScope& operator=(const RowScope&) = delete;

  /// Takes the row's cells; columns set by hand are forgotten until they are set again.
  void load(std::size_t row);

  void set_word(const std::string& column, std::string word);
  void set_number(const std::string& column, double value);

  /// The cell of a column; null: there is no such column.
  [[nodiscard]] const std::string* word(std::string_view column) const;
  /// The cell's number; NaN if the column is missing or the cell is no number.
  [[nodiscard]] double number(std::string_view column) const;

  /// Every {column} replaced by the row's word; {{ is a brace. Refuses a column that is not there.
  Expected<std::string> text(std::string_view pattern) const;
  /// Refuses what is no expression over these columns.
  Expected<void> check(const std::string& expression);
  /// Refuses what is no expression, and one whose value is no finite number in this row.
  Expected<double> value(const std::string& expression);

 private:
  Expected<Formula*> formula(const std::string& expression);

  const CsvTable& table_;
  std::map<std::string, std::string, std::less<>> words_;
  std::map<std::string, double, std::less<>> numbers_;  // formulas point to the values
  std::map<std::string, std::unique_ptr<Formula>, std::less<>> formulas_;
};

}  // namespace forewarp::measured
