// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/results_table.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/text_columns.h"
#include "request/argument_text.h"

namespace forewarp::sweep {

namespace {

std::string csv_word(const std::string& word) {
  if (word.find_first_of(",\"\r\n") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_cell(const TableCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return exact_text(*number);
  if (const auto* word = std::get_if<std::string>(&cell)) return csv_word(*word);
  return {};
}

nlohmann::ordered_json json_cell(const TableCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    if (!std::isfinite(*number)) return nullptr;
    const bool counts = *number == std::floor(*number) && std::fabs(*number) < 1e15;
    if (counts) return static_cast<std::int64_t>(*number);
    return *number;
  }
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  return nullptr;
}

std::string text_cell(const TableCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return *number == std::floor(*number) ? exact_text(*number) : significant(*number);
  }
  if (const auto* word = std::get_if<std::string>(&cell)) return word->empty() ? "-" : *word;
  return "-";
}

}  // namespace

std::string csv_header(const std::vector<std::string>& columns) {
  std::vector<std::string> words;
  for (const std::string& column : columns) words.push_back(csv_word(column));
  return join(words, ",");
}

std::string csv_line(const TableRow& row) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != 0) line += ',';
    line += csv_cell(row[i]);
  }
  return line;
}

std::string json_line(const std::vector<std::string>& columns, const TableRow& row) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    object[columns[i]] = i < row.size() ? json_cell(row[i]) : nlohmann::ordered_json(nullptr);
  }
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string aligned_text(const ResultsTable& table) {
  std::vector<std::vector<std::string>> cells{table.columns};
  std::vector<bool> is_number(table.columns.size(), true);
  for (const TableRow& row : table.rows) {
    std::vector<std::string>& line = cells.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const TableCell cell = i < row.size() ? row[i] : TableCell{};
      line.push_back(text_cell(cell));
      if (std::holds_alternative<std::string>(cell)) is_number[i] = false;
    }
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], text_width(line[i]));
    }
  }
  std::string text;
  for (const auto& line : cells) {
    std::string shown;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i != 0) shown += "  ";
      shown += padded(line[i], widths[i], is_number[i]);
    }
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + '\n';
  }
  return text;
}

}  // namespace forewarp::sweep
