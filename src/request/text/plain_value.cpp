// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/plain_value.h"

#include "base/text.h"

namespace forewarp::request {

namespace {

/// Shortens a long text for a message, without cutting a UTF-8 character in two.
std::string shortened(std::string_view text) {
  std::size_t size = 40;
  if (text.size() <= size) return std::string(text);
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  return std::string(text.substr(0, size)) + "..";
}

}  // namespace

double PlainValue::number() const {
  if (kind == Kind::floating) return floating;
  return beyond_signed ? static_cast<double>(static_cast<std::uint64_t>(integer))
                       : static_cast<double>(integer);
}

const PlainValue* PlainValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

std::string PlainValue::described() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return "the number " + (beyond_signed ? std::to_string(static_cast<std::uint64_t>(integer))
                                            : std::to_string(integer));
    case Kind::floating:
      return "the number " + significant(floating, 6);
    case Kind::text:
      return "the text '" + shortened(text) + "'";
    case Kind::list:
      return "a list of " + std::to_string(items.size());
    case Kind::table:
      return "an object";
  }
  return "nothing";
}

}  // namespace forewarp::request
