// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// trace.json read back: one function per object of the file.
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <utility>

#include "request/text/json_value.h"
#include "trace/trace_header.h"

namespace forewarp::trace {
namespace {

using Kind = PlainValue::Kind;
using Read = std::function<Expected<void>(const ValueCursor&)>;

struct Field {
  std::string_view name;
  Read read;
};

/// Every field must be there; keys that are none are of a newer writer.
Expected<void> read_table(const ValueCursor& cursor, const std::vector<Field>& fields) {
  const PlainValue& table = cursor.value();
  if (table.kind != Kind::table) return cursor.wrong("an object");
  for (const Field& field : fields) {
    std::size_t at = 0;
    while (at < table.keys.size() && table.keys[at] != field.name) ++at;
    if (at == table.keys.size()) {
      const std::string path = cursor.path();
      return cursor.refuse((path.empty() ? "it" : "'" + path + "'") + " lacks the key '" +
                           std::string(field.name) + "'");
    }
    if (auto ok = field.read(cursor.item(at)); !ok) return ok;
  }
  return {};
}

Expected<void> read_value(const ValueCursor& cursor, std::string& value) {
  if (cursor.value().kind != Kind::text) return cursor.wrong("a text");
  value = cursor.value().text;
  return {};
}

Expected<void> read_value(const ValueCursor& cursor, bool& value) {
  if (cursor.value().kind != Kind::boolean) return cursor.wrong("true or false");
  value = cursor.value().boolean;
  return {};
}

Expected<void> read_value(const ValueCursor& cursor, double& value) {
  if (!cursor.value().is_number()) return cursor.wrong("a number");
  value = cursor.value().number();
  return {};
}

template <std::unsigned_integral T>
Expected<void> read_value(const ValueCursor& cursor, T& value) {
  const PlainValue& given = cursor.value();
  const auto bits = static_cast<std::uint64_t>(given.integer);
  const bool negative = given.integer < 0 && !given.beyond_signed;
  if (given.kind != Kind::integer || negative || bits > std::numeric_limits<T>::max()) {
    return cursor.wrong("a whole number from 0 to " +
                        std::to_string(std::numeric_limits<T>::max()));
  }
  value = static_cast<T>(bits);
  return {};
}

Expected<void> read_value(const ValueCursor& cursor, Extent& extent);
Expected<void> read_value(const ValueCursor& cursor, Result::KernelFacts& kernel);
Expected<void> read_value(const ValueCursor& cursor, Result::GpuFacts& gpu);
Expected<void> read_value(const ValueCursor& cursor, Result::LaunchFacts& launch);
Expected<void> read_value(const ValueCursor& cursor, Stratum& stratum);
Expected<void> read_value(const ValueCursor& cursor, TraceHeader::Buffer& buffer);
Expected<void> read_value(const ValueCursor& cursor, TraceHeader::Code& code);
Expected<void> read_value(const ValueCursor& cursor, Result::Finding& finding);
Expected<void> read_value(const ValueCursor& cursor, Result::Assumption& assumption);

template <typename T>
Expected<void> read_value(const ValueCursor& cursor, std::vector<T>& list) {
  if (cursor.value().kind != Kind::list) return cursor.wrong("a list");
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    if (auto ok = read_value(cursor.item(i), list.emplace_back()); !ok) return ok;
  }
  return {};
}

template <typename T>
Field field(std::string_view name, T& value) {
  return {name, [&value](const ValueCursor& cursor) { return read_value(cursor, value); }};
}

Expected<void> read_value(const ValueCursor& cursor, Extent& extent) {
  std::vector<std::uint32_t> sizes;
  if (auto ok = read_value(cursor, sizes); !ok) return ok;
  if (sizes.size() != extent.size()) return cursor.wrong("three sizes [x, y, z]");
  std::copy(sizes.begin(), sizes.end(), extent.begin());
  return {};
}

Expected<void> read_value(const ValueCursor& cursor, Result::KernelFacts& kernel) {
  return read_table(cursor, {field("name", kernel.name), field("mangled", kernel.mangled),
                             field("input", kernel.input), field("arch", kernel.arch),
                             field("sha256", kernel.sha256), field("registers", kernel.registers),
                             field("static_shared", kernel.static_shared),
                             field("local_bytes", kernel.local_bytes)});
}

Expected<void> read_value(const ValueCursor& cursor, Result::GpuFacts& gpu) {
  return read_table(cursor, {field("id", gpu.id), field("name", gpu.name), field("cc", gpu.cc)});
}

Expected<void> read_value(const ValueCursor& cursor, Result::LaunchFacts& launch) {
  const auto arguments = [&](const ValueCursor& table) -> Expected<void> {
    if (table.value().kind != Kind::table) return table.wrong("an object");
    for (std::size_t i = 0; i < table.value().keys.size(); ++i) {
      auto& [name, value] = launch.arguments.emplace_back(table.value().keys[i], "");
      if (auto ok = read_value(table.item(i), value); !ok) return ok;
    }
    return {};
  };
  return read_table(cursor, {field("grid", launch.grid),
                             field("block", launch.block),
                             field("dynamic_shared", launch.dynamic_shared),
                             {"args", arguments}});
}

Expected<void> read_value(const ValueCursor& cursor, Stratum& stratum) {
  if (auto ok =
          read_table(cursor, {field("stand_for", stratum.size), field("blocks", stratum.blocks)});
      !ok) {
    return ok;
  }
  if (stratum.blocks.empty() || stratum.blocks.size() > stratum.size) {
    return cursor.refuse("'" + cursor.path() + "' holds " + std::to_string(stratum.blocks.size()) +
                         " blocks for " + std::to_string(stratum.size));
  }
  return {};
}

Expected<void> read_blocks(const ValueCursor& cursor, TraceHeader& header) {
  if (auto ok =
          read_table(cursor, {field("of", header.of_blocks), field("held", header.held_blocks),
                              field("strata", header.strata)});
      !ok) {
    return ok;
  }
  std::uint64_t size = 0, held = 0;
  for (const Stratum& stratum : header.strata) {
    size += stratum.size;
    held += stratum.blocks.size();
  }
  const bool fits = header.whole_grid() ? header.strata.empty()
                                        : size == header.of_blocks && held == header.held_blocks;
  if (fits && header.of_blocks == volume(header.launch.grid)) return {};
  return cursor.refuse("'" + cursor.path() + "' does not fit the grid");
}

Expected<void> read_value(const ValueCursor& cursor, TraceHeader::Buffer& buffer) {
  return read_table(cursor, {field("name", buffer.name), field("address", buffer.address),
                             field("bytes", buffer.bytes)});
}

Expected<void> read_value(const ValueCursor& cursor, TraceHeader::Code& code) {
  return read_table(cursor, {field("address", code.address), field("text", code.text),
                             field("class", code.instruction_class)});
}

Expected<void> read_value(const ValueCursor& cursor, Result::Finding& finding) {
  return read_table(cursor, {field("kind", finding.kind), field("text", finding.text)});
}

Expected<void> read_value(const ValueCursor& cursor, Result::Assumption& assumption) {
  return read_table(cursor, {field("id", assumption.id), field("text", assumption.text),
                             field("change_with", assumption.change_with)});
}

Expected<void> read_totals(const ValueCursor& cursor, TraceHeader& header) {
  return read_table(cursor,
                    {field("warps", header.warps), field("warp_instructions", header.recorded),
                     field("grid_warp_instructions", header.estimated),
                     field("relative_error", header.relative_error)});
}

Expected<void> read_schema(const ValueCursor& cursor) {
  if (cursor.value().kind == Kind::text && cursor.value().text == TraceHeader::schema) return {};
  return cursor.wrong("the text '" + std::string(TraceHeader::schema) + "'");
}

}  // namespace

Expected<TraceHeader> trace_header_from_json(std::string_view text, const std::string& file) {
  const ValueOrigin origin{file, 0, {}};
  const auto value = parse_json(text, origin);
  if (!value) return value.error();
  TraceHeader header;
  const Read blocks = [&](const ValueCursor& cursor) { return read_blocks(cursor, header); };
  const Read totals = [&](const ValueCursor& cursor) { return read_totals(cursor, header); };
  const auto ok =
      read_table(ValueCursor(*value, origin), {{"schema", read_schema},
                                               field("written_as", header.written_as),
                                               field("complete", header.complete),
                                               field("files", header.files),
                                               field("tool_version", header.tool_version),
                                               field("kernel", header.kernel),
                                               field("gpu", header.gpu),
                                               field("launch", header.launch),
                                               {"blocks", blocks},
                                               {"totals", totals},
                                               field("buffers", header.buffers),
                                               field("findings", header.findings),
                                               field("assumptions", header.assumptions),
                                               field("instructions", header.code)});
  if (!ok) return ok.error();
  return header;
}

}  // namespace forewarp::trace
