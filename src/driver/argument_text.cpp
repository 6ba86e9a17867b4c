// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/argument_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.h"
#include "driver/scalar_type.h"

namespace forewarp {

namespace {

constexpr std::string_view value_forms =
    "a number, TYPE:NUMBER, hex:BYTES, buffer:BYTES[:CONTENT] or same:INDEX";

Diagnostic refuse(std::string_view place, std::string_view text, std::string_view fault,
                  std::string_view expected, std::string way_out = {}) {
  return {std::string(place), "'" + std::string(text) + "' " + std::string(fault),
          std::string(expected), std::move(way_out)};
}

/// Decimal or 0x, no sign.
std::optional<std::uint64_t> parse_natural(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
  if (text.empty() || code != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// A number that fits 64 bits becomes an integer; one above the signed range is marked u64.
std::optional<Argument> parse_whole_argument(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto magnitude = parse_natural(text);
  constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
  if (!magnitude || (negative && *magnitude > limit)) return std::nullopt;
  Argument argument;
  argument.integer = static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
  if (!negative && *magnitude >= limit) argument.type = "u64";
  return argument;
}

std::optional<Argument> parse_plain(std::string_view text) {
  if (auto integer = parse_whole_argument(text)) return integer;
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  Argument argument;
  argument.kind = Argument::Kind::floating;
  argument.floating = *number;
  return argument;
}

Expected<Argument> parse_hex(std::string_view digits, std::string_view text,
                             std::string_view place) {
  Argument argument;
  argument.kind = Argument::Kind::bytes;
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const auto [stop, code] = std::from_chars(digits.data() + i, digits.data() + i + 2,
                                              argument.bytes.emplace_back(), 16);
    if (code != std::errc{} || stop != digits.data() + i + 2) digits = {};
  }
  if (digits.empty() || digits.size() % 2 != 0) {
    return refuse(place, text, "is not a row of bytes", "hex: and two hexadecimal digits per byte");
  }
  return argument;
}

Expected<Argument> parse_buffer(std::string_view type, std::string_view rest, std::string_view text,
                                std::string_view place) {
  const std::size_t colon = rest.find(':');
  const auto bytes = parse_natural(rest.substr(0, colon));
  if (!bytes) {
    return refuse(place, text, "has no size in bytes", "buffer:BYTES[:CONTENT]");
  }
  if (!type.empty() && !short_scalar_type(type)) {
    return refuse(place, text, "has an unknown element type", short_scalar_names());
  }
  Argument argument;
  argument.kind = Argument::Kind::buffer;
  argument.buffer_bytes = *bytes;
  if (colon != std::string_view::npos) {
    auto content = parse_content(rest.substr(colon + 1), place);
    if (!content) return content.error();
    argument.content = std::move(*content);
  }
  argument.content.type = type;
  return argument;
}

Expected<Argument> parse_same(std::string_view rest, std::string_view text,
                              std::string_view place) {
  const auto index = parse_natural(rest);
  if (!index || *index > std::numeric_limits<std::uint32_t>::max()) {
    return refuse(place, text, "names no argument", "same: and the index of a buffer argument");
  }
  Argument argument;
  argument.kind = Argument::Kind::same_buffer;
  argument.same_as = static_cast<std::uint32_t>(*index);
  return argument;
}

Expected<Argument> parse_typed(ScalarType type, std::string_view type_name, std::string_view rest,
                               std::string_view text, std::string_view place) {
  auto argument = parse_plain(rest);
  if (!argument) return refuse(place, text, "has no number after its type", value_forms);
  if (!scalar_bits(*argument, type)) {
    return refuse(place, text, "does not fit", "a value of " + std::string(type_name));
  }
  return with_type(std::move(*argument), type_name);
}

/// "SEED" or "SEED:LOW:HIGH".
Expected<BufferContent> parse_random(std::string_view rest, std::string_view text,
                                     std::string_view place) {
  BufferContent content;
  content.kind = BufferContent::Kind::random;
  const auto parts = split(rest, ':');
  const auto seed = parse_natural(parts[0]);
  if (!seed || (parts.size() != 1 && parts.size() != 3)) {
    return refuse(place, text, "is not a random content", "random:SEED or random:SEED:LOW:HIGH");
  }
  content.seed = *seed;
  if (parts.size() == 1) return content;
  const auto low = parse_number(parts[1]);
  const auto high = parse_number(parts[2]);
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low > *high) {
    return refuse(place, text, "has no range", "random:SEED:LOW:HIGH with LOW not above HIGH");
  }
  content.low = *low;
  content.high = *high;
  return content;
}

Expected<std::pair<std::uint32_t, double>> parse_at_address(std::string_view text,
                                                            std::string_view place,
                                                            std::string_view form, double highest) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return refuse(place, text, "has no '='", form);
  std::string_view digits = trim(text.substr(0, equals));
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint32_t address = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, address, 16);
  if (digits.empty() || code != std::errc{} || stop != end) {
    return refuse(place, text, "starts with no address", form,
                  "addresses are hexadecimal, as `forewarp analyze` prints them");
  }
  const auto number = parse_number(trim(text.substr(equals + 1)));
  if (!number || !(*number >= 0 && *number <= highest)) {
    return refuse(place, text, "has no number in range", form);
  }
  return std::pair{address, *number};
}

}  // namespace

Argument with_type(Argument number, std::string_view type_name) {
  const auto type = short_scalar_type(type_name);
  if (type && type->is_floating() && number.kind == Argument::Kind::integer) {
    number.floating = beyond_signed(number)
                          ? static_cast<double>(static_cast<std::uint64_t>(number.integer))
                          : static_cast<double>(number.integer);
    number.kind = Argument::Kind::floating;
  } else if (type && !type->is_floating() && number.kind == Argument::Kind::floating) {
    number.integer = static_cast<std::int64_t>(number.floating);
    number.kind = Argument::Kind::integer;
  }
  number.type = type_name;
  return number;
}

Expected<Argument> parse_argument_value(std::string_view text, std::string_view place) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (auto plain = parse_plain(text)) return std::move(*plain);
    return refuse(place, text, "is not a value", value_forms);
  }
  const std::string_view word = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  if (word == "buffer") return parse_buffer("", rest, text, place);
  if (word.starts_with("buffer.")) return parse_buffer(word.substr(7), rest, text, place);
  if (word == "hex") return parse_hex(rest, text, place);
  if (word == "same") return parse_same(rest, text, place);
  if (const auto type = short_scalar_type(word)) {
    return parse_typed(*type, word, rest, text, place);
  }
  return refuse(place, text, "is not a value", value_forms);
}

Expected<NamedArgument> parse_argument_name(std::string_view text, std::string_view place) {
  NamedArgument argument;
  const std::string_view name = trim(text);
  const bool digits = name.find_first_not_of("0123456789") == std::string_view::npos;
  if (name.empty()) return refuse(place, text, "names no parameter", "a parameter's name or index");
  if (!digits) {
    argument.name = name;
    return argument;
  }
  const auto index = parse_natural(name);
  if (!index || *index > std::numeric_limits<std::uint16_t>::max()) {
    return refuse(place, text, "is out of range", "an index below 65536");
  }
  argument.index = static_cast<std::uint32_t>(*index);
  return argument;
}

Expected<NamedArgument> parse_argument(std::string_view text, std::string_view place) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return refuse(place, text, "has no '='", "NAME=VALUE or INDEX=VALUE");
  }
  auto argument = parse_argument_name(text.substr(0, equals), place);
  if (!argument) return argument;
  auto value = parse_argument_value(trim(text.substr(equals + 1)), place);
  if (!value) return value.error();
  argument->value = std::move(*value);
  return argument;
}

Expected<BufferContent> parse_content(std::string_view text, std::string_view place) {
  using Kind = BufferContent::Kind;
  BufferContent content;
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const bool has_rest = colon != std::string_view::npos;
  const std::string_view rest = has_rest ? text.substr(colon + 1) : std::string_view{};
  constexpr std::string_view forms =
      "unknown, zeros, ones, iota, random:SEED, random:SEED:LOW:HIGH, fill:VALUE or file:PATH";

  if (word == "random") return parse_random(rest, text, place);
  if (word == "fill") {
    const auto value = parse_plain(rest);
    if (!value) return refuse(place, text, "has no number", "fill:VALUE");
    content.kind = Kind::fill;
    content.value = with_type(*value, "f64").floating;
    return content;
  }
  if (word == "file") {
    if (rest.empty()) return refuse(place, text, "names no file", "file:PATH");
    content.kind = Kind::file;
    content.path = rest;
    return content;
  }
  if (word == "unknown") {
    content.kind = Kind::unknown;
  } else if (word == "zeros") {
    content.kind = Kind::zeros;
  } else if (word == "ones") {
    content.kind = Kind::ones;
  } else if (word == "iota") {
    content.kind = Kind::iota;
  } else {
    return refuse(place, text, "is not a content", forms);
  }
  if (has_rest) return refuse(place, text, "has something after its name", forms);
  return content;
}

Expected<Extent> parse_extent(std::string_view text, std::string_view place, char separator) {
  Extent extent{1, 1, 1};
  const auto parts = split(text, separator);
  const std::string form = separator == 'x' ? "X, XxY or XxYxZ" : "X[,Y[,Z]]";
  if (parts.size() > extent.size()) {
    return refuse(place, text, "has more than three sizes", form);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto size = parse_natural(trim(parts[i]));
    if (!size || *size == 0 || *size > std::numeric_limits<std::uint32_t>::max()) {
      return refuse(place, text, "is not a size", form + ", each from 1 to 4294967295");
    }
    extent[i] = static_cast<std::uint32_t>(*size);
  }
  return extent;
}

Expected<ClockChoice> parse_clock(std::string_view text, std::string_view place) {
  using Kind = ClockChoice::Kind;
  if (text == "sustained") return ClockChoice{Kind::sustained, 0};
  if (text == "base") return ClockChoice{Kind::base, 0};
  if (text == "boost") return ClockChoice{Kind::boost, 0};
  const auto megahertz = parse_number(text);
  if (!megahertz || !(*megahertz > 0) || !std::isfinite(*megahertz)) {
    return refuse(place, text, "is not a clock", "a number of MHz, base, boost or sustained");
  }
  return ClockChoice{Kind::stated, *megahertz};
}

Expected<Timing> parse_timing(std::string_view text, std::string_view place) {
  if (const auto timing = timing_named(text)) return *timing;
  return refuse(place, text, "is not a timing", "device, event, stream, graph or host");
}

Expected<SampleChoice> parse_sample(std::string_view text, std::string_view place) {
  using Kind = SampleChoice::Kind;
  if (text == "auto") return SampleChoice{Kind::automatic, 0};
  if (text == "all") return SampleChoice{Kind::all, 0};
  const auto blocks = parse_natural(text);
  if (!blocks || *blocks == 0) {
    return refuse(place, text, "is not a sample", "auto, all or a number of blocks");
  }
  return SampleChoice{Kind::count, *blocks};
}

Expected<std::pair<std::uint32_t, double>> parse_trip(std::string_view text) {
  return parse_at_address(text, "--trip", "ADDRESS=N with N passes, 0 or more",
                          std::numeric_limits<double>::max());
}

Expected<std::pair<std::uint32_t, double>> parse_branch_probability(std::string_view text) {
  return parse_at_address(text, "--assume-branch", "ADDRESS=P with P from 0 to 1", 1.0);
}

Expected<FactOverride> parse_override(std::string_view text, std::string_view place) {
  const std::size_t equals = text.find('=');
  const std::string_view path = trim(text.substr(0, equals));
  if (equals == std::string_view::npos || !path.starts_with("hw.") || path.size() == 3) {
    return refuse(place, text, "sets no number of the GPU file", "hw.PATH=VALUE",
                  "`forewarp gpu show ID` lists the paths");
  }
  const std::string_view value = trim(text.substr(equals + 1));
  if (value.empty()) return refuse(place, text, "has no value", "hw.PATH=VALUE");
  return FactOverride{std::string(path.substr(3)), std::string(value)};
}

}  // namespace forewarp
