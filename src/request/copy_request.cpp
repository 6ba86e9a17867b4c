// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/copy_request.h"

#include <cmath>
#include <vector>

#include "base/text.h"

namespace forewarp::request {
namespace {

using Kind = PlainValue::Kind;

constexpr std::string_view same = "same=";
constexpr std::string_view form = "h2d|d2h:BYTES[:pageable|pinned], or same=ARG for BYTES";
constexpr double most_bytes = 9e15;  // largest count that a double holds exactly, about

Expected<void> read_size(const ValueCursor& cursor, CopyRequest& copy) {
  const PlainValue& value = cursor.value();
  constexpr std::string_view expected = "a size in bytes, or {\"same\": argument}";
  if (value.kind == Kind::table) {
    if (value.keys.size() != 1 || value.keys.front() != "same") return cursor.wrong(expected);
    const PlainValue& argument = value.items.front();
    const bool index = argument.kind == Kind::integer && argument.integer >= 0;
    if (!index && (argument.kind != Kind::text || argument.text.empty())) {
      return cursor.item(0).wrong("the name or index of a buffer argument");
    }
    copy.same = index ? std::to_string(argument.integer) : argument.text;
    return {};
  }
  const double bytes = value.number();
  if (!value.is_number() || !(bytes >= 0 && bytes <= most_bytes) || bytes != std::floor(bytes)) {
    return cursor.wrong(expected);
  }
  copy.bytes = static_cast<std::uint64_t>(bytes);
  return {};
}

Expected<void> read_part(std::string_view key, const ValueCursor& cursor, CopyRequest& copy) {
  if (key == "bytes") return read_size(cursor, copy);
  if (key == "direction") {
    const auto direction = direction_named(cursor.value().text);
    if (!direction) return cursor.wrong("h2d or d2h");
    copy.direction = *direction;
    return {};
  }
  const auto memory = memory_named(cursor.value().text);
  if (!memory) return cursor.wrong("pageable or pinned");
  copy.memory = *memory;
  return {};
}

}  // namespace

Expected<CopyRequest> parse_copy(std::string_view text, std::string_view place) {
  const auto refused = [&](const char* found) {
    return Diagnostic{std::string(place), "'" + std::string(text) + "' " + found, std::string(form),
                      ""};
  };
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return refused("is no copy");
  CopyRequest copy;
  const auto direction = direction_named(parts[0]);
  if (!direction) return refused("has no direction");
  copy.direction = *direction;
  if (parts[1].starts_with(same) && parts[1].size() > same.size()) {
    copy.same = parts[1].substr(same.size());
  } else {
    const auto bytes = parse_number(parts[1]);
    if (!bytes || !(*bytes >= 0 && *bytes <= most_bytes) || *bytes != std::floor(*bytes)) {
      return refused("has no size in bytes");
    }
    copy.bytes = static_cast<std::uint64_t>(*bytes);
  }
  if (parts.size() < 3) return copy;
  const auto memory = memory_named(parts[2]);
  if (!memory) return refused("has an unknown memory");
  copy.memory = *memory;
  return copy;
}

Expected<CopyRequest> read_copy(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  if (value.kind != Kind::table) return cursor.wrong("{\"bytes\": .., \"direction\": ..}");
  CopyRequest copy;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i];
    if (key != "bytes" && key != "direction" && key != "memory") {
      return cursor.unknown_key(i, {"bytes", "direction", "memory"});
    }
    if (auto done = read_part(key, cursor.item(i), copy); !done) return done.error();
  }
  for (const char* needed : {"bytes", "direction"}) {
    if (value.find(needed) != nullptr) continue;
    return cursor.refuse("a copy has no '" + std::string(needed) + "'", "bytes, direction, memory");
  }
  return copy;
}

std::string copy_text(const CopyRequest& copy) {
  const std::string size =
      copy.same.empty() ? std::to_string(copy.bytes) : std::string(same) + copy.same;
  return std::string(direction_name(copy.direction)) + ':' + size + ':' +
         std::string(memory_name(copy.memory));
}

}  // namespace forewarp::request
