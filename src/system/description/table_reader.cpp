// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/table_reader.h"

#include <cmath>
#include <utility>

namespace forewarp::system {

Expected<void> TableReader::read(const ValueCursor& table, const std::vector<Key>& keys) {
  if (table.value().kind != PlainValue::Kind::table) return table.wrong("a table");
  for (std::size_t i = 0; i < table.value().keys.size(); ++i) {
    const Key* found = nullptr;
    for (const Key& key : keys) {
      if (key.name == table.value().keys[i]) found = &key;
    }
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const Key& key : keys) names.push_back(key.name);
      return table.unknown_key(i, names);
    }
    if (auto fine = found->read(table.item(i)); !fine) return fine;
  }
  for (const Key& key : keys) {
    if (key.required && table.value().find(key.name) == nullptr) {
      const std::string path = table.path();
      return table.refuse(
          (path.empty() ? "it" : "'" + path + "'") + " lacks the key '" + key.name + "'", "", "");
    }
  }
  return {};
}

TableReader::Read into(std::string& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (cursor.value().kind != PlainValue::Kind::text || cursor.value().text.empty()) {
      return cursor.wrong("a text that is not empty");
    }
    target = cursor.value().text;
    return {};
  };
}

TableReader::Read into(double& target, Bounds bounds) {
  return [&target, bounds = std::move(bounds)](const ValueCursor& cursor) -> Expected<void> {
    const double number = cursor.value().is_number() ? cursor.value().number() : NAN;
    if (!(number >= bounds.least && number <= bounds.most)) return cursor.wrong(bounds.expected);
    target = number;
    return {};
  };
}

TableReader::Read into(std::uint32_t& target, Bounds bounds) {
  return [&target, bounds = std::move(bounds)](const ValueCursor& cursor) -> Expected<void> {
    const PlainValue& value = cursor.value();
    const auto number = static_cast<double>(value.integer);
    if (value.kind != PlainValue::Kind::integer || value.beyond_signed || number < bounds.least ||
        number > bounds.most) {
      return cursor.wrong(bounds.expected);
    }
    target = static_cast<std::uint32_t>(value.integer);
    return {};
  };
}

TableReader::Read each(TableReader::Read read) {
  return [read = std::move(read)](const ValueCursor& cursor) -> Expected<void> {
    if (cursor.value().kind != PlainValue::Kind::list) return cursor.wrong("a list of tables");
    for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
      if (auto fine = read(cursor.item(i)); !fine) return fine;
    }
    return {};
  };
}

}  // namespace forewarp::system
