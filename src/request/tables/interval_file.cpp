// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/interval_file.h"

#include <utility>

#include "embedded/intervals.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::request {
namespace {

constexpr std::string_view schema = "forewarp.intervals/1";

Expected<IntervalClass> read_class(const ValueCursor& cursor) {
  IntervalClass read;
  std::string source;
  auto done = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "low") return put(number_of(value), read.low);
        if (key == "high") return put(number_of(value), read.high);
        if (key == "points") return put(number_of(value), read.points);
        if (key == "sources") return put(number_of(value), read.sources);
        if (key == "source") return put(text_of(value), source);
        if (key == "because") return put(text_of(value), read.because);
        return cursor.unknown_key(index, {"low", "high", "points", "sources", "source", "because"});
      });
  if (!done) return done.error();
  if (!(read.low > 0 && read.low <= 1 && read.high >= 1)) {
    return cursor.refuse("the factors do not hold the predicted time", "0 < low <= 1 <= high");
  }
  return read;
}

using ClassMap = std::map<std::string, IntervalClass, std::less<>>;

Expected<void> read_classes(const ValueCursor& table, ClassMap& into) {
  return each_key(table, [&](const std::string& key, const ValueCursor& value, std::size_t) {
    return put(read_class(value), into[key]);
  });
}

}  // namespace

Expected<IntervalTable> parse_intervals(std::string_view toml, std::string_view file) {
  const ValueOrigin origin{std::string(file), 0, {}};
  auto table = parse_toml(toml, origin, "a table of intervals in TOML");
  if (!table) return std::move(table).error();
  const ValueCursor root(*table, origin);
  IntervalTable read;
  std::string found_schema, source;
  auto done = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "schema") return put(text_of(value), found_schema);
        if (key == "source") return put(text_of(value), source);
        if (key == "level") return put(number_of(value), read.level);
        if (key == "clock") return put(read_class(value), read.clock);
        if (key == "class") return read_classes(value, read.classes);
        if (key == "wider") return read_classes(value, read.widenings);
        return root.unknown_key(index, {"schema", "source", "level", "clock", "class", "wider"});
      });
  if (!done) return done.error();
  if (found_schema != schema) {
    return root.refuse("the key 'schema' is '" + found_schema + "'",
                       "'" + std::string(schema) + "'");
  }
  if (!(read.level > 0 && read.level < 1)) return root.refuse("the level is none", "0 < level < 1");
  return read;
}

Expected<std::shared_ptr<const IntervalTable>> own_intervals() {
  auto table = parse_intervals(embedded::intervals, "data/intervals.toml");
  if (!table) return std::move(table).error();
  return std::make_shared<const IntervalTable>(std::move(*table));
}

}  // namespace forewarp::request
