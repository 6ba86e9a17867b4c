// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Reads a text, or a number as its digits.
Expected<std::string> text_of(const ValueCursor& cursor);
Expected<std::vector<std::string>> texts_of(const ValueCursor& cursor);
Expected<double> number_of(const ValueCursor& cursor);

/// Stores what was read in its member, or returns the refusal.
template <typename T>
Expected<void> put(Expected<T> value, T& into) {
  if (!value) return std::move(value).error();
  into = std::move(*value);
  return {};
}

/// Calls `take` for every key of a table with its cursor.
template <typename Take>
Expected<void> each_key(const ValueCursor& table, Take take) {
  if (table.value().kind != PlainValue::Kind::table) return table.wrong("a table");
  for (std::size_t i = 0; i < table.value().keys.size(); ++i) {
    if (Expected<void> done = take(table.value().keys[i], table.item(i), i); !done) return done;
  }
  return {};
}

template <typename Take>
Expected<void> each_item(const ValueCursor& list, Take take) {
  if (list.value().kind != PlainValue::Kind::list) return list.wrong("a list of tables");
  for (std::size_t i = 0; i < list.value().items.size(); ++i) {
    if (Expected<void> done = take(list.item(i)); !done) return done;
  }
  return {};
}

}  // namespace forewarp::request
