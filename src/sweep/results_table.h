// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace forewarp::sweep {

/// A cell: empty, a number or a word.
using TableCell = std::variant<std::monostate, double, std::string>;
using TableRow = std::vector<TableCell>;

/// A flat table of many predictions: columns of what was varied, then of results.
struct ResultsTable {
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
};

/// One line without its end. Words with a comma, a quote or a line end are quoted; an empty cell
/// is empty. Numbers are the shortest digits that read back as the same number.
[[nodiscard]] std::string csv_header(const std::vector<std::string>& columns);
[[nodiscard]] std::string csv_line(const TableRow& row);

/// One compact JSON object; empty cells, and numbers that JSON cannot hold, are null.
[[nodiscard]] std::string json_line(const std::vector<std::string>& columns, const TableRow& row);

/// Columns aligned for reading, numbers to the right with four significant digits; a cell without
/// a value is '-'. Ends with a line end.
[[nodiscard]] std::string aligned_text(const ResultsTable& table);

}  // namespace forewarp::sweep
