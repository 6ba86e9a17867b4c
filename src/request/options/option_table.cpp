// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/options/option_table.h"

#include <algorithm>
#include <array>

#include "request/options/case_values.h"
#include "request/options/option_access.h"
#include "request/options/option_values.h"

namespace forewarp::request {

namespace {

constexpr OptionRow rows[] = {
#include "request/options/option_rows.inc"
};

/// Whether two words are equal, with - and _ taken as alike.
bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return x == y || (x == '-' && y == '_'); });
}

}  // namespace

std::span<const OptionRow> option_rows() {
  return rows;
}

const OptionRow* option_named(std::string_view name) {
  for (const OptionRow& row : rows) {
    if (!name.empty() && row.name == name) return &row;
  }
  return nullptr;
}

const OptionRow* option_with_key(std::string_view key) {
  for (const OptionRow& row : rows) {
    if (!key.empty() && row.key == key) return &row;
  }
  return nullptr;
}

const OptionRow* option_at(OptionPlace place, std::string_view name_or_key) {
  if (name_or_key.empty()) return nullptr;
  for (const OptionRow& row : rows) {
    if (!row.may_stand(place)) continue;
    if (row.key == name_or_key || same_word(row.name, name_or_key)) return &row;
  }
  return nullptr;
}

std::string option_title(const OptionRow& row) {
  if (row.name.empty() || row.name == "INPUT")
    return std::string(row.name.empty() ? row.key : row.name);
  return "--" + std::string(row.name);
}

}  // namespace forewarp::request
