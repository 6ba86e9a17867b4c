// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/changes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "request/text/toml_value.h"

namespace forewarp::system {
namespace {

constexpr std::array<std::string_view, 4> named_lists = {"component", "link", "group", "cluster"};

PlainValue value_of(const std::string& text) {
  PlainValue value;
  value.kind = PlainValue::Kind::text;
  value.text = text;
  if (text.find_first_of("\r\n") != std::string::npos) return value;
  const auto parsed = parse_toml("v = " + text, {"", 0, {}}, "a value");
  return parsed && parsed->keys.size() == 1 ? parsed->items.front() : value;
}

PlainValue* find(PlainValue& table, std::string_view key) {
  return const_cast<PlainValue*>(std::as_const(table).find(key));
}

/// The part of this name in the table's lists; null: none has it.
PlainValue* part_named(PlainValue& table, const std::string& name,
                       std::vector<std::string>& names) {
  for (const std::string_view list : named_lists) {
    PlainValue* const items = find(table, list);
    if (items == nullptr) continue;
    for (PlainValue& item : items->items) {
      const PlainValue* const own = item.find("name");
      if (own == nullptr) continue;
      if (own->text == name) return &item;
      names.push_back(own->text);
    }
  }
  return nullptr;
}

void set(PlainValue& table, const std::string& key, PlainValue value) {
  value.line = table.line;
  value.column = table.column;
  if (PlainValue* const old = find(table, key)) {
    *old = std::move(value);
    return;
  }
  table.keys.push_back(key);
  table.items.push_back(std::move(value));
}

Expected<void> apply(PlainValue& system, const std::string& change) {
  const std::size_t sign = change.find('=');
  const std::string place = "--change " + change;
  if (sign == std::string::npos || sign == 0) {
    return Diagnostic{place, "has no name and value", "NAME.KEY=VALUE", ""};
  }
  std::vector<std::string> path;
  for (const std::string_view part : split(std::string_view(change).substr(0, sign), '.')) {
    path.emplace_back(part);
  }
  PlainValue* at = &system;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    std::vector<std::string> names;
    PlainValue* next = part_named(*at, path[i], names);
    if (next == nullptr) next = find(*at, path[i]);
    if (next == nullptr && i > 0) {  // a table that the file leaves out
      PlainValue table;
      table.kind = PlainValue::Kind::table;
      set(*at, path[i], std::move(table));
      next = find(*at, path[i]);
    }
    if (next == nullptr || next->kind != PlainValue::Kind::table) {
      const auto nearest = closest(path[i], names);
      return Diagnostic{place, "nothing is called '" + path[i] + "'",
                        names.empty() ? "a name of the system's file" : join(names, ", "),
                        nearest ? "did you mean '" + *nearest + "'?" : ""};
    }
    at = next;
  }
  set(*at, path.back(), value_of(change.substr(sign + 1)));
  return {};
}

}  // namespace

Expected<void> apply_changes(PlainValue& system, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    if (auto fine = apply(system, change); !fine) return fine;
  }
  return {};
}

}  // namespace forewarp::system
