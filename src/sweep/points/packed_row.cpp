// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/packed_row.h"

#include <cstdint>
#include <utility>

#include "sweep/points/raw_bytes.h"

namespace forewarp::sweep {

namespace {

constexpr char nothing = 0, number = 1, word = 2;

}  // namespace

std::string packed(const TableRow& row) {
  std::string bytes;
  bytes.reserve(row.size() * (1 + sizeof(double)));
  for (const TableCell& cell : row) {
    if (const auto* value = std::get_if<double>(&cell)) {
      bytes += number;
      append_raw(bytes, *value);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
      bytes += word;
      append_raw(bytes, static_cast<std::uint32_t>(text->size()));
      bytes += *text;
    } else {
      bytes += nothing;
    }
  }
  return bytes;
}

std::optional<TableRow> unpacked(std::string_view bytes) {
  TableRow row;
  while (!bytes.empty()) {
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    if (kind == nothing) {
      row.emplace_back();
    } else if (kind == number) {
      double value = 0;
      if (!cut_raw(bytes, value)) return {};
      row.emplace_back(value);
    } else if (kind == word) {
      std::uint32_t size = 0;
      if (!cut_raw(bytes, size) || bytes.size() < size) return {};
      row.emplace_back(std::string(bytes.substr(0, size)));
      bytes.remove_prefix(size);
    } else {
      return {};
    }
  }
  return row;
}

}  // namespace forewarp::sweep
