// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "embedded/encoding_sm_50.h"
#include "embedded/encoding_sm_70.h"
#include "embedded/encoding_sm_75.h"
#include "embedded/encoding_sm_80.h"
#include "embedded/encoding_sm_89.h"
#include "embedded/encoding_sm_90.h"
#include "input/binary/encoding_table.h"

namespace forewarp::input {
namespace {

// The table of one embedded file, if it has this architecture; read when first asked for.
template <const std::string_view& Text>
const EncodingTable* table_with(std::uint32_t sm) {
  static const std::optional<EncodingTable> table = []() -> std::optional<EncodingTable> {
    auto read = read_encoding(Text);
    if (!read) return {};
    return std::move(read).value();
  }();
  return table && std::ranges::count(table->architectures, sm) > 0 ? &*table : nullptr;
}

// Which file: reading one takes milliseconds, so only the one that is needed is.
bool names(std::string_view text, std::uint32_t sm) {
  constexpr std::string_view key = "architectures\t";
  const std::size_t at = text.substr(0, 400).find(key);
  if (at == text.npos) return false;
  const std::string_view rest = text.substr(at + key.size());
  const std::string line = "," + std::string(rest.substr(0, rest.find('\n'))) + ",";
  return line.find("," + std::to_string(sm) + ",") != line.npos;
}

}  // namespace

const EncodingTable* encoding_for(std::uint32_t sm) {
  using namespace embedded;
  if (names(encoding_sm_50, sm)) return table_with<encoding_sm_50>(sm);
  if (names(encoding_sm_70, sm)) return table_with<encoding_sm_70>(sm);
  if (names(encoding_sm_75, sm)) return table_with<encoding_sm_75>(sm);
  if (names(encoding_sm_80, sm)) return table_with<encoding_sm_80>(sm);
  if (names(encoding_sm_89, sm)) return table_with<encoding_sm_89>(sm);
  if (names(encoding_sm_90, sm)) return table_with<encoding_sm_90>(sm);
  return nullptr;
}

}  // namespace forewarp::input
