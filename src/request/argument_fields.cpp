// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/argument_fields.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"
#include "request/tensor_text.h"

namespace forewarp::request {

namespace {

using Kind = PlainValue::Kind;

constexpr std::string_view argument_forms =
    "a number, {TYPE: number}, {\"hex\": ..}, {\"buffer\": bytes}, {\"same\": index} or "
    "{\"tensor\": "
    "..}";

const std::vector<std::string>& argument_keys() {
  static const std::vector<std::string> keys{"i32", "u32",    "i64",     "u64",  "f32",  "f64",
                                             "hex", "buffer", "content", "type", "same", "i8",
                                             "u8",  "i16",    "u16",     "f16",  "bf16", "tensor"};
  return keys;
}

Argument plain_argument(const PlainValue& value) {
  Argument argument;
  if (value.kind == Kind::floating) {
    argument.kind = Argument::Kind::floating;
    argument.floating = value.floating;
  } else {
    argument.integer = value.kind == Kind::boolean ? (value.boolean ? 1 : 0) : value.integer;
    if (value.beyond_signed) argument.type = "u64";
  }
  return argument;
}

Expected<Argument> read_typed(const ValueCursor& cursor, ScalarType type, std::string_view name) {
  if (!cursor.value().is_number()) return cursor.wrong("a number");
  Argument argument = plain_argument(cursor.value());
  if (!scalar_bits(argument, type)) {
    const char* what = type.is_floating() ? "a value that fits " : "a whole number that fits ";
    return cursor.wrong(what + std::string(name));
  }
  return with_type(std::move(argument), name);
}

Expected<Argument> read_hex(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("hexadecimal digits as a text");
  auto argument = parse_argument_value("hex:" + cursor.value().text, "");
  if (!argument) return cursor.wrong("two hexadecimal digits per byte");
  return argument;
}

Expected<Argument> read_same(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  if (value.kind != Kind::integer || value.integer < 0 ||
      value.integer > std::numeric_limits<std::uint16_t>::max()) {
    return cursor.wrong("the index of a buffer argument");
  }
  Argument argument;
  argument.kind = Argument::Kind::same_buffer;
  argument.same_as = static_cast<std::uint32_t>(value.integer);
  return argument;
}

Expected<Argument> read_tensor(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("TYPE:SIZExSIZE.. as a text");
  auto argument = parse_tensor_argument(cursor.value().text, "");
  if (!argument) return cursor.placed(argument.error());
  return argument;
}

Expected<std::uint64_t> read_bytes(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  const double number = value.number();
  constexpr double highest = 9223372036854775808.0;  // 2^63
  if (!value.is_number() || !(number >= 0 && number < highest) || number != std::floor(number)) {
    return cursor.wrong("a size in bytes");
  }
  return value.kind == Kind::integer ? static_cast<std::uint64_t>(value.integer)
                                     : static_cast<std::uint64_t>(number);
}

Expected<BufferContent> read_content(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("the name of a content");
  auto content = parse_content(cursor.value().text, "");
  if (!content) return cursor.placed(content.error());
  if (content->kind == BufferContent::Kind::file) content->path = cursor.resolved(content->path);
  return content;
}

/// Sets one key of a table that describes a buffer.
Expected<void> read_buffer_key(const ValueCursor& cursor, std::string_view key,
                               Argument& argument) {
  if (key == "buffer") {
    auto bytes = read_bytes(cursor);
    if (!bytes) return bytes.error();
    argument.buffer_bytes = *bytes;
  } else if (key == "content") {
    std::string type = std::move(argument.content.type);
    auto content = read_content(cursor);
    if (!content) return content.error();
    argument.content = std::move(*content);
    argument.content.type = std::move(type);
  } else if (key == "type") {
    if (!short_scalar_type(cursor.value().text)) return cursor.wrong(short_scalar_names());
    argument.content.type = cursor.value().text;
  }
  return {};
}

Expected<Argument> read_buffer(const ValueCursor& cursor) {
  Argument argument;
  argument.kind = Argument::Kind::buffer;
  const PlainValue& value = cursor.value();
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    if (auto done = read_buffer_key(cursor.item(i), value.keys[i], argument); !done) {
      return done.error();
    }
  }
  return argument;
}

Expected<Argument> read_single(const ValueCursor& cursor, std::string_view key) {
  if (key == "hex") return read_hex(cursor);
  if (key == "same") return read_same(cursor);
  if (key == "tensor") return read_tensor(cursor);
  if (const auto type = short_scalar_type(key)) return read_typed(cursor, *type, key);
  return cursor.refuse("'" + cursor.path() + "' stands without a buffer",
                       R"({"buffer": bytes, "content": .., "type": ..})");
}

Expected<Argument> read_argument_table(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  bool is_buffer = false;
  std::size_t described = 0;  // number of keys that say what the argument is
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i];
    bool known = false;
    for (const std::string& name : argument_keys()) known = known || name == key;
    if (!known) return cursor.unknown_key(i, argument_keys());
    is_buffer = is_buffer || key == "buffer";
    if (key != "content" && key != "type") ++described;
  }
  if (described > 1) {
    return cursor.refuse(
        "'" + cursor.path() + "' says more than one thing: " + join(value.keys, ", "),
        "one of them");
  }
  if (value.keys.empty())
    return cursor.refuse("'" + cursor.path() + "' is empty", std::string(argument_forms));
  return is_buffer ? read_buffer(cursor) : read_single(cursor.item(0), value.keys[0]);
}

Expected<Argument> read_argument(const ValueCursor& cursor) {
  switch (cursor.value().kind) {
    case Kind::table:
      return read_argument_table(cursor);
    case Kind::integer:
    case Kind::floating:
    case Kind::boolean:
      return plain_argument(cursor.value());
    default:
      return cursor.wrong(argument_forms);
  }
}

Expected<std::vector<NamedArgument>> read_list(const ValueCursor& cursor) {
  std::vector<NamedArgument> arguments;
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    const ValueCursor item = cursor.item(i);
    if (item.value().kind == Kind::null) continue;
    auto value = read_argument(item);
    if (!value) return value.error();
    arguments.push_back({"", static_cast<std::uint32_t>(i), std::move(*value)});
  }
  return arguments;
}

Expected<std::vector<NamedArgument>> read_table(const ValueCursor& cursor, bool digits_are_index) {
  std::vector<NamedArgument> arguments;
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    const ValueCursor item = cursor.item(i);
    auto argument = parse_argument_name(cursor.value().keys[i], "");
    if (!argument) return item.placed(argument.error());
    if (argument->index && !digits_are_index) {
      return item.refuse("'" + item.path() + "' is a number", "the name of a symbol");
    }
    auto value = read_argument(item);
    if (!value) return value.error();
    argument->value = std::move(*value);
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

}  // namespace

Expected<std::vector<NamedArgument>> read_arguments(const ValueCursor& cursor) {
  switch (cursor.value().kind) {
    case Kind::list:
      return read_list(cursor);
    case Kind::table:
      return read_table(cursor, true);
    default:
      return cursor.wrong("a list in parameter order or an object by parameter name");
  }
}

Expected<std::vector<NamedArgument>> read_constants(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::table) return cursor.wrong("an object by symbol name");
  return read_table(cursor, false);
}

}  // namespace forewarp::request
