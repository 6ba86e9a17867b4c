// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/case_fields.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
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

Expected<void> read_text(const ValueCursor& cursor, std::string& text) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("a text");
  text = cursor.value().text;
  return {};
}

/// A number above `lowest`, or `lowest` itself when it is allowed.
Expected<double> read_quantity(const ValueCursor& cursor, bool zero_allowed,
                               std::string_view expected) {
  const double number = cursor.value().number();
  const bool good = cursor.value().is_number() && std::isfinite(number) &&
                    (number > 0 || (zero_allowed && number == 0));
  if (!good) return cursor.wrong(expected);
  return number;
}

Expected<void> read_id(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind == Kind::integer && !cursor.value().beyond_signed) {
    result.id = std::to_string(cursor.value().integer);
    return {};
  }
  return read_text(cursor, result.id);
}

Expected<void> read_input(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.input); !done) return done;
  if (result.input.empty()) return cursor.wrong("the path of a listing or a binary");
  if (result.input != "-") result.input = cursor.resolved(result.input);
  return {};
}

Expected<void> read_kernel(const ValueCursor& cursor, Case& result) {
  return read_text(cursor, result.kernel);
}

Expected<void> read_gpu(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.gpu); !done) return done;
  if (result.gpu.ends_with(".toml")) result.gpu = cursor.resolved(result.gpu);
  return {};
}

Expected<void> read_grid(const ValueCursor& cursor, Case& result) {
  return read_extent(cursor, result.launch.grid);
}

Expected<void> read_block(const ValueCursor& cursor, Case& result) {
  return read_extent(cursor, result.launch.block);
}

Expected<void> read_dynamic_shared(const ValueCursor& cursor, Case& result) {
  const auto bytes = read_size(cursor, 0);
  if (!bytes) return bytes.error();
  result.launch.dynamic_shared = *bytes;
  result.has_dynamic_shared = true;
  return {};
}

Expected<void> read_resident(const ValueCursor& cursor, Case& result) {
  const auto blocks = read_size(cursor, 1);
  if (!blocks) return blocks.error();
  result.resident_blocks = *blocks;
  return {};
}

Expected<void> read_compile_options(const ValueCursor& cursor, Case& result) {
  if (cursor.value().kind != Kind::list) return cursor.wrong("a list of the compiler's options");
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    if (auto done = read_text(cursor.item(i), result.compile_options.emplace_back()); !done) {
      return done;
    }
  }
  return {};
}

Expected<void> read_args(const ValueCursor& cursor, Case& result) {
  auto arguments = read_arguments(cursor);
  if (!arguments) return arguments.error();
  result.launch.arguments = std::move(*arguments);
  return {};
}

Expected<void> read_symbols(const ValueCursor& cursor, Case& result) {
  auto constants = read_constants(cursor);
  if (!constants) return constants.error();
  result.launch.constants = std::move(*constants);
  return {};
}

Expected<void> read_link(const ValueCursor& cursor, Case& result) {
  if (auto done = read_text(cursor, result.link); !done) return done;
  if (result.link.ends_with(".toml")) result.link = cursor.resolved(result.link);
  return {};
}

Expected<void> read_copies(const ValueCursor& cursor, Case& result) {
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

/// A number of MHz, or one of the names of --clock.
Expected<void> read_clock(const ValueCursor& cursor, Case& result) {
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

Expected<void> read_timing(const ValueCursor& cursor, Case& result) {
  result.timing = timing_named(cursor.value().text);
  if (!result.timing) return cursor.wrong("device, event, stream, graph or host");
  return {};
}

Expected<void> read_repeat(const ValueCursor& cursor, Case& result) {
  result.repeat = repeat_named(cursor.value().text);
  if (!result.repeat) return cursor.wrong("cold or warm");
  return {};
}

Expected<void> read_overhead(const ValueCursor& cursor, Case& result) {
  const auto overhead = read_quantity(cursor, true, "microseconds, 0 or more");
  if (!overhead) return overhead.error();
  result.overhead_us = *overhead;
  return {};
}

Expected<void> read_measured(const ValueCursor& cursor, Case& result) {
  const auto time = read_quantity(cursor, false, "a time in ms above 0");
  if (!time) return time.error();
  result.measured_ms = *time;
  return {};
}

Expected<void> read_spread(const ValueCursor& cursor, Case& result) {
  const auto spread = read_quantity(cursor, true, "a share, 0 or more");
  if (!spread) return spread.error();
  result.spread = *spread;
  return {};
}

Expected<void> read_group(const ValueCursor& cursor, Case& result) {
  return read_text(cursor, result.group);
}

struct Field {
  std::string_view key;
  bool in_launch_file;
  Expected<void> (*read)(const ValueCursor&, Case&);
};

constexpr std::array<Field, 20> fields{{{"id", true, read_id},
                                        {"input", false, read_input},
                                        {"kernel", true, read_kernel},
                                        {"gpu", false, read_gpu},
                                        {"grid", true, read_grid},
                                        {"block", true, read_block},
                                        {"dynamic_shared", true, read_dynamic_shared},
                                        {"resident_blocks", true, read_resident},
                                        {"compile_options", true, read_compile_options},
                                        {"args", true, read_args},
                                        {"constants", true, read_symbols},
                                        {"link", true, read_link},
                                        {"copies", true, read_copies},
                                        {"clock_mhz", true, read_clock},
                                        {"timing", true, read_timing},
                                        {"repeat", true, read_repeat},
                                        {"overhead_us", true, read_overhead},
                                        {"measured_ms", false, read_measured},
                                        {"spread", false, read_spread},
                                        {"group", false, read_group}}};

std::vector<std::string> valid_keys(CaseScope scope) {
  std::vector<std::string> names;
  for (const Field& field : fields) {
    if (scope == CaseScope::full_case || field.in_launch_file) names.emplace_back(field.key);
  }
  return names;
}

const Field* field_named(std::string_view key) {
  for (const Field& field : fields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

Diagnostic not_in_launch_file(const ValueCursor& cursor) {
  return cursor.refuse("'" + cursor.path() + "' belongs to a case, not to a launch file",
                       join(valid_keys(CaseScope::launch), ", "),
                       "give it on the command line, or as a line of --cases");
}

}  // namespace

Expected<Case> read_case(const PlainValue& table, const ValueOrigin& origin, CaseScope scope) {
  const ValueCursor root(table, origin);
  if (table.kind != Kind::table) return root.wrong("an object with the keys of a case");
  Case result;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const ValueCursor cursor = root.item(i);
    const Field* field = field_named(table.keys[i]);
    if (field == nullptr) return root.unknown_key(i, valid_keys(scope));
    if (scope == CaseScope::launch && !field->in_launch_file) return not_in_launch_file(cursor);
    if (cursor.value().kind == Kind::null) continue;  // as if left out
    if (auto done = field->read(cursor, result); !done) return done.error();
  }
  return result;
}

}  // namespace forewarp::request
