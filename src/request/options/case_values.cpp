// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/options/case_values.h"

#include <cmath>
#include <limits>
#include <utility>

#include "request/argument_fields.h"
#include "request/copy_request.h"
#include "request/option_text.h"

namespace forewarp::request {

namespace {

using Kind = PlainValue::Kind;

Expected<std::uint32_t> read_size(const ValueCursor& cursor, std::uint32_t lowest) {
  const PlainValue& value = cursor.value();
  const double number = value.number();
  if (!value.is_number() || !(number >= lowest) ||
      number > std::numeric_limits<std::uint32_t>::max() || number != std::floor(number)) {
    return cursor.wrong("a whole number from " + std::to_string(lowest) + " to 4294967295");
  }
  return static_cast<std::uint32_t>(number);
}

}  // namespace

Expected<void> read_extent(const ValueCursor& cursor, Extent& extent) {
  const PlainValue& value = cursor.value();
  extent = {1, 1, 1};
  const bool is_list = value.kind == Kind::list;
  if (is_list && (value.items.empty() || value.items.size() > extent.size())) {
    return cursor.wrong("one to three sizes [x, y, z]");
  }
  if (!is_list && !value.is_number()) return cursor.wrong("a list of sizes [x, y, z]");
  for (std::size_t i = 0; i < (is_list ? value.items.size() : 1); ++i) {
    const auto size = read_size(is_list ? cursor.item(i) : cursor, 1);
    if (!size) return size.error();
    extent[i] = *size;
  }
  return {};
}

Expected<double> read_quantity(const ValueCursor& cursor, bool zero_allowed,
                               std::string_view expected) {
  const double number = cursor.value().number();
  const bool good = cursor.value().is_number() && std::isfinite(number) &&
                    (number > 0 || (zero_allowed && number == 0));
  if (!good) return cursor.wrong(expected);
  return number;
}

Expected<void> read_text(const ValueCursor& cursor, std::string& text) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("a text");
  text = cursor.value().text;
  return {};
}

Expected<void> read_case_id(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind == Kind::integer && !cursor.value().beyond_signed) {
    result.id = std::to_string(cursor.value().integer);
    return {};
  }
  return read_text(cursor, result.id);
}

Expected<void> read_case_input(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.input); !done) return done;
  if (result.input.empty()) return cursor.wrong("the path of a listing or a binary");
  if (result.input != "-") result.input = cursor.resolved(result.input);
  return {};
}

Expected<void> read_case_gpu(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.gpu); !done) return done;
  if (result.gpu.ends_with(".toml")) result.gpu = cursor.resolved(result.gpu);
  return {};
}

Expected<void> read_case_dynamic_shared(const ValueCursor& cursor, Case& result) {
  const auto bytes = read_size(cursor, 0);
  if (!bytes) return bytes.error();
  result.launch.dynamic_shared = *bytes;
  result.has_dynamic_shared = true;
  return {};
}

Expected<void> read_case_resident(const ValueCursor& cursor, Case& result) {
  const auto blocks = read_size(cursor, 1);
  if (!blocks) return blocks.error();
  result.resident_blocks = *blocks;
  return {};
}

Expected<void> read_case_compile_options(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind != Kind::list) return cursor.wrong("a list of the compiler's options");
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    if (auto done = read_text(cursor.item(i), result.compile_options.emplace_back()); !done) {
      return done;
    }
  }
  return {};
}

Expected<void> read_case_args(const ValueCursor& cursor, Case& result) {
  auto arguments = read_arguments(cursor);
  if (!arguments) return arguments.error();
  result.launch.arguments = std::move(*arguments);
  return {};
}

Expected<void> read_case_symbols(const ValueCursor& cursor, Case& result) {
  auto constants = read_constants(cursor);
  if (!constants) return constants.error();
  result.launch.constants = std::move(*constants);
  return {};
}

Expected<void> read_case_link(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.link); !done) return done;
  if (result.link.ends_with(".toml")) result.link = cursor.resolved(result.link);
  return {};
}

Expected<void> read_case_copies(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind != Kind::list) {
    return cursor.wrong("a list of {\"bytes\": .., \"direction\": .., \"memory\": ..}");
  }
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    auto copy = read_copy(cursor.item(i));
    if (!copy) return std::move(copy).error();
    result.copies.push_back(*std::move(copy));
  }
  return {};
}

/// Reads a number of MHz, or one of the names of --clock.
Expected<void> read_case_clock(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind == Kind::text) {
    const auto clock = parse_clock(cursor.value().text, "");
    if (!clock) return cursor.placed(clock.error());
    result.clock = *clock;
    return {};
  }
  constexpr std::string_view expected = "a clock of 1 to 100000 MHz";
  const auto megahertz = read_quantity(cursor, false, expected);
  if (!megahertz) return megahertz.error();
  if (!is_clock(*megahertz)) return cursor.wrong(expected);
  result.clock = ClockChoice{ClockChoice::Kind::stated, *megahertz};
  return {};
}

Expected<void> read_case_timing(const ValueCursor& cursor, Case& result) {
  result.timing = timing_named(cursor.value().text);
  if (!result.timing) return cursor.wrong("device, event, stream, graph or host");
  return {};
}

Expected<void> read_case_repeat(const ValueCursor& cursor, Case& result) {
  result.repeat = repeat_named(cursor.value().text);
  if (!result.repeat) return cursor.wrong("cold or warm");
  return {};
}

}  // namespace forewarp::request
