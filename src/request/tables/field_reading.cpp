// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/field_reading.h"

#include "request/argument_text.h"

namespace forewarp::request {

using Kind = PlainValue::Kind;

Expected<std::string> text_of(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  if (value.kind == Kind::text) return value.text;
  if (value.kind == Kind::integer) return std::to_string(value.integer);
  if (value.kind == Kind::floating) return exact_text(value.floating);
  return cursor.wrong("a text or a number");
}

Expected<std::vector<std::string>> texts_of(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::list) return cursor.wrong("a list of texts");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    auto text = text_of(cursor.item(i));
    if (!text) return std::move(text).error();
    texts.push_back(std::move(*text));
  }
  return texts;
}

Expected<double> number_of(const ValueCursor& cursor) {
  if (!cursor.value().is_number()) return cursor.wrong("a number");
  return cursor.value().number();
}

}  // namespace forewarp::request
