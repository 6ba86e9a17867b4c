// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/columns.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "result/json_token.h"

namespace forewarp::store {

namespace {

constexpr std::size_t size_bytes = 8;
constexpr std::uint64_t most_text = std::uint64_t{64} << 20U;

}  // namespace

const std::vector<std::string>& point_columns() {
  static const std::vector<std::string> names{"time_ms",
                                              "low_ms",
                                              "high_ms",
                                              "model",
                                              "limited_by",
                                              "limited_share",
                                              "blocks_per_sm",
                                              "warps_per_sm",
                                              "needed_warps",
                                              "waves",
                                              "latency_cycles",
                                              "registers",
                                              "warp_instructions",
                                              "thread_instructions",
                                              "global_load_sectors",
                                              "global_store_sectors",
                                              "shared_wavefronts",
                                              "l2_read_sectors",
                                              "l2_write_sectors",
                                              "l1_hit_rate",
                                              "l2_hit_rate",
                                              "dram_read_bytes",
                                              "dram_write_bytes",
                                              "bounds",
                                              "error"};
  return names;
}

std::vector<std::size_t> column_positions(const std::vector<std::string>& names) {
  const std::vector<std::string>& all = point_columns();
  std::vector<std::size_t> positions;
  for (const std::string& name : names) {
    positions.push_back(
        static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin()));
  }
  return positions;
}

std::string axes_text(const TableRow& values) {
  std::string text = "[";
  for (const TableCell& cell : values) {
    if (text.size() > 1) text += ',';
    if (const auto* number = std::get_if<double>(&cell)) {
      append_json_number(text, *number);
    } else if (const auto* word = std::get_if<std::string>(&cell)) {
      append_json_string(text, *word);
    } else {
      text += "null";
    }
  }
  return text + ']';
}

std::optional<TableRow> axes_values(std::string_view text) {
  const auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_array()) return {};
  TableRow row;
  for (const auto& value : parsed) {
    if (value.is_number()) {
      row.emplace_back(value.get<double>());
    } else if (value.is_string()) {
      row.emplace_back(value.get<std::string>());
    } else if (value.is_null()) {
      row.emplace_back();
    } else {
      return {};
    }
  }
  return row;
}

std::string names_text(const std::vector<std::string>& names) {
  return axes_text(TableRow(names.begin(), names.end()));
}

std::optional<std::vector<std::string>> axes_names(std::string_view text) {
  const auto row = axes_values(text);
  if (!row) return {};
  std::vector<std::string> names;
  for (const TableCell& cell : *row) {
    const auto* word = std::get_if<std::string>(&cell);
    if (word == nullptr) return {};
    names.push_back(*word);
  }
  return names;
}

std::string packed_text(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xffU);
  }
  uLongf size = compressBound(text.size());
  bytes.resize(size_bytes + size);
  const int done =
      compress2(reinterpret_cast<Bytef*>(bytes.data() + size_bytes), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_DEFAULT_COMPRESSION);
  bytes.resize(done == Z_OK ? size_bytes + size : 0);
  return bytes;
}

std::optional<std::string> unpacked_text(std::string_view bytes) {
  if (bytes.size() < size_bytes) return {};
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    whole |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  if (whole > most_text) return {};
  std::string text(whole, '\0');
  uLongf size = whole;
  const int done = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                              reinterpret_cast<const Bytef*>(bytes.data() + size_bytes),
                              static_cast<uLong>(bytes.size() - size_bytes));
  if (done != Z_OK || size != whole) return {};
  return text;
}

}  // namespace forewarp::store
