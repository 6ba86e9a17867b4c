// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::measured {

/// A CSV file: a line of column names, then rows of as many cells.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// Rows as long as the line of names, or shorter ones too: the cells that they lack are empty.
enum class CsvRows { whole, short_too };

/// Cells may be quoted. Refused with the row's number (the line of names is row 0): quotes that do
/// not close, a row of another length, a column that stands twice, no line of names.
Expected<CsvTable> parse_csv(std::string_view text, std::string_view file,
                             CsvRows accepted = CsvRows::whole);

}  // namespace forewarp::measured
