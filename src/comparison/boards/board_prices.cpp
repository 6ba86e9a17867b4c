// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/boards/board_prices.h"

#include <cmath>

#include "base/text.h"
#include "measured/points/csv_table.h"

namespace forewarp::comparison {
namespace {

constexpr std::string_view gpu_column = "gpu";
constexpr std::string_view price_column = "price_per_hour";

Diagnostic no_column(std::string_view file, std::string_view name, const CsvTable& table) {
  return {std::string(file), "has no column '" + std::string(name) + "'",
          "gpu and price_per_hour among " + join(table.columns, ", "), "see docs/gpus.md"};
}

}  // namespace

Expected<std::vector<BoardPrice>> parse_prices(std::string_view csv, std::string_view file) {
  const auto table = parse_csv(csv, file);
  if (!table) return table.error();
  const auto gpu = table->column(gpu_column);
  if (!gpu) return no_column(file, gpu_column, *table);
  const auto price = table->column(price_column);
  if (!price) return no_column(file, price_column, *table);
  std::vector<BoardPrice> prices;
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    const std::vector<std::string>& row = table->rows[r];
    const std::string place = std::string(file) + " row " + std::to_string(r + 1);
    const std::string name(trim(row[*gpu]));
    if (name.empty()) return Diagnostic{place, "names no GPU", "an id or a name", ""};
    const auto value = parse_number(trim(row[*price]));
    if (!value || !std::isfinite(*value) || *value < 0) {
      return Diagnostic{place, "'" + row[*price] + "' is no price", "a number from 0 on", ""};
    }
    prices.push_back({name, *value, place});
  }
  if (prices.empty()) {
    return Diagnostic{std::string(file), "has no price", "a row for each GPU", ""};
  }
  return prices;
}

}  // namespace forewarp::comparison
