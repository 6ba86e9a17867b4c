// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "embedded/encoding_sm_80.h"
#include "input/binary/encoding_table.h"

namespace forewarp::input {
namespace {

std::optional<EncodingTable> loaded(std::string_view text) {
  auto table = read_encoding(text);
  if (!table) return {};
  return std::move(table).value();
}

bool has(std::string_view text, std::uint32_t sm) {
  constexpr std::string_view key = "architectures\t";
  const std::string_view head = text.substr(0, 400);
  const std::size_t at = head.find(key);
  if (at == head.npos) return false;
  const std::string_view line = head.substr(at + key.size(), head.find('\n', at) - at - key.size());
  return ("," + std::string(line) + ",").find("," + std::to_string(sm) + ",") != std::string::npos;
}

}  // namespace

const EncodingTable* encoding_for(std::uint32_t sm) {
  if (has(embedded::encoding_sm_80, sm)) {
    static const std::optional<EncodingTable> table = loaded(embedded::encoding_sm_80);
    return table ? &*table : nullptr;
  }
  return nullptr;
}

}  // namespace forewarp::input
