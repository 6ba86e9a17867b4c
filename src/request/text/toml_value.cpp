// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/toml_value.h"

#include "base/toml_document.h"

namespace forewarp::request {

namespace {

PlainValue plain(const toml::node& node);

PlainValue plain_list(const toml::array& array) {
  PlainValue value;
  value.kind = PlainValue::Kind::list;
  for (const toml::node& item : array) value.items.push_back(plain(item));
  return value;
}

PlainValue plain_table(const toml::table& table) {
  PlainValue value;
  value.kind = PlainValue::Kind::table;
  for (const auto& [key, item] : table) {
    value.keys.emplace_back(key.str());
    value.items.push_back(plain(item));
  }
  return value;
}

/// A scalar. Dates and times, which no key of a launch takes, become a text that names their kind.
PlainValue plain_scalar(const toml::node& node) {
  PlainValue value;
  if (const auto* integer = node.as_integer()) {
    value.kind = PlainValue::Kind::integer;
    value.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = PlainValue::Kind::floating;
    value.floating = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = PlainValue::Kind::boolean;
    value.boolean = truth->get();
  } else {
    const auto* text = node.as_string();
    value.kind = PlainValue::Kind::text;
    value.text = text != nullptr ? text->get() : "a date or time";
  }
  return value;
}

PlainValue plain(const toml::node& node) {
  const toml::array* array = node.as_array();
  const toml::table* table = node.as_table();
  PlainValue value = array != nullptr   ? plain_list(*array)
                     : table != nullptr ? plain_table(*table)
                                        : plain_scalar(node);
  value.line = node.source().begin.line;
  value.column = node.source().begin.column;
  return value;
}

}  // namespace

Expected<PlainValue> parse_toml(std::string_view text, const ValueOrigin& origin,
                                std::string_view expected) {
  const auto document = parse_toml_document(text, origin.file, expected, "");
  if (!document) return document.error();
  return plain(*document);
}

}  // namespace forewarp::request
