// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/csv_table.h"

#include <algorithm>
#include <csv.h>

namespace forewarp::measured {

namespace {

using Row = std::vector<std::string>;

struct Rows {
  std::vector<Row> all;
  Row current;
};

void take_cell(void* cell, std::size_t size, void* rows) {
  const char* text = cell == nullptr ? "" : static_cast<const char*>(cell);
  static_cast<Rows*>(rows)->current.emplace_back(text, size);
}

void take_row(int /*end*/, void* rows) {
  auto& target = *static_cast<Rows*>(rows);
  target.all.push_back(std::move(target.current));
  target.current.clear();
}

std::string row_place(std::string_view file, std::size_t row) {
  return std::string(file) + " row " + std::to_string(row);
}

Expected<std::vector<Row>> read_rows(std::string_view text, std::string_view file) {
  Rows rows;
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
    return Diagnostic{std::string(file), "the CSV reader cannot start", "", ""};
  }
  const bool whole =
      csv_parse(&parser, text.data(), text.size(), take_cell, take_row, &rows) == text.size() &&
      csv_fini(&parser, take_cell, take_row, &rows) == 0;
  csv_free(&parser);
  if (!whole) {
    return Diagnostic{row_place(file, rows.all.size()),
                      "a quote does not close or stands inside a cell", "cells as a,b or \"a,b\"",
                      ""};
  }
  return std::move(rows.all);
}

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return {};
  return static_cast<std::size_t>(found - columns.begin());
}

Expected<CsvTable> parse_csv(std::string_view text, std::string_view file, CsvRows accepted) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  auto rows = read_rows(text, file);
  if (!rows) return std::move(rows).error();
  if (rows->empty()) {
    return Diagnostic{std::string(file), "has no line of column names", "a CSV file", ""};
  }
  CsvTable table;
  table.columns = std::move(rows->front());
  Row sorted = table.columns;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    return Diagnostic{row_place(file, 0), "column '" + *twice + "' stands twice", "each once", ""};
  }
  for (std::size_t i = 1; i < rows->size(); ++i) {
    Row& row = (*rows)[i];
    if (accepted == CsvRows::short_too && row.size() < table.columns.size()) {
      row.resize(table.columns.size());
    }
    if (row.size() != table.columns.size()) {
      return Diagnostic{row_place(file, i), std::to_string(row.size()) + " cells",
                        std::to_string(table.columns.size()) + " as in the line of names", ""};
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace forewarp::measured
