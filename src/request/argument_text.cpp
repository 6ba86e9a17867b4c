// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/argument_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "program/scalar_type.h"
#include "request/tensor_text.h"
#include "request/text/count_text.h"
#include "request/text/refusal.h"

namespace forewarp::request {

namespace {

constexpr std::string_view value_forms =
    "a number (also 16M, 1<<20), TYPE:NUMBER, hex:BYTES, buffer:BYTES[:CONTENT], same:INDEX or "
    "tensor:TYPE:SIZExSIZE:box=SIZExSIZE:BUFFER";

/// Reads a whole number of up to 64 bits as an integer; one above the signed range is marked u64.
std::optional<Argument> parse_whole_argument(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto magnitude = parse_count(text);
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
    return refusal(place, text, "is not a row of bytes",
                   "hex: and two hexadecimal digits per byte");
  }
  return argument;
}

Expected<Argument> parse_buffer(std::string_view type, std::string_view rest, std::string_view text,
                                std::string_view place) {
  const std::size_t colon = rest.find(':');
  const auto bytes = parse_count(rest.substr(0, colon));
  if (!bytes) {
    return refusal(place, text, "has no size in bytes", "buffer:BYTES[:CONTENT]");
  }
  if (!type.empty() && !short_scalar_type(type)) {
    return refusal(place, text, "has an unknown element type", short_scalar_names());
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
    return refusal(place, text, "names no argument", "same: and the index of a buffer argument");
  }
  Argument argument;
  argument.kind = Argument::Kind::same_buffer;
  argument.same_as = static_cast<std::uint32_t>(*index);
  return argument;
}

Expected<Argument> parse_typed(ScalarType type, std::string_view type_name, std::string_view rest,
                               std::string_view text, std::string_view place) {
  auto argument = parse_plain(rest);
  if (!argument) return refusal(place, text, "has no number after its type", value_forms);
  if (!scalar_bits(*argument, type)) {
    return refusal(place, text, "does not fit", "a value of " + std::string(type_name));
  }
  return with_type(std::move(*argument), type_name);
}

/// Reads SEED or SEED:LOW:HIGH.
Expected<BufferContent> parse_random(std::string_view rest, std::string_view text,
                                     std::string_view place) {
  BufferContent content;
  content.kind = BufferContent::Kind::random;
  const auto parts = split(rest, ':');
  const auto seed = parse_natural(parts[0]);
  if (!seed || (parts.size() != 1 && parts.size() != 3)) {
    return refusal(place, text, "is not a random content",
                   "random, random:SEED or random:SEED:LOW:HIGH");
  }
  content.seed = *seed;
  if (parts.size() == 1) return content;
  const auto low = parse_number(parts[1]);
  const auto high = parse_number(parts[2]);
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low > *high) {
    return refusal(place, text, "has no range", "random:SEED:LOW:HIGH with LOW not above HIGH");
  }
  content.low = *low;
  content.high = *high;
  return content;
}

std::string number_text(const Argument& argument) {
  const bool large = beyond_signed(argument);
  const std::string prefix = argument.type.empty() || large ? "" : argument.type + ":";
  if (large) return std::to_string(static_cast<std::uint64_t>(argument.integer));
  if (argument.kind == Argument::Kind::integer) return prefix + std::to_string(argument.integer);
  std::string digits = exact_text(argument.floating);
  // Without a type only the form tells 7.0 from 7, and no integer is -0.
  const bool looks_whole = digits.find_first_not_of("-0123456789") == std::string::npos;
  if (looks_whole && (prefix.empty() || digits == "-0")) digits += ".0";
  return prefix + digits;
}

std::string hex_text(const std::vector<std::uint8_t>& bytes) {
  std::string text = "hex:";
  for (const std::uint8_t byte : bytes) text += hex(byte, 2).substr(2);
  return text;
}

}  // namespace

std::string exact_text(double value) {
  constexpr double counted = 1e15;  // whole numbers below are written out: 100000, not 1e+05
  if (value == std::floor(value) && std::fabs(value) < counted &&
      !(value == 0 && std::signbit(value))) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  std::array<char, 32> digits{};
  const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return code == std::errc{} ? std::string(digits.data(), end) : std::string("nan");
}

std::string text_of(const Argument& argument) {
  using Kind = Argument::Kind;
  switch (argument.kind) {
    case Kind::integer:
    case Kind::floating:
      return number_text(argument);
    case Kind::bytes:
      return is_tensor(argument) ? argument.type : hex_text(argument.bytes);
    case Kind::same_buffer:
      return "same:" + std::to_string(argument.same_as);
    case Kind::buffer:
      break;
  }
  const std::string& type = argument.content.type;
  std::string text = (type.empty() ? "buffer:" : "buffer." + type + ":");
  text += std::to_string(argument.buffer_bytes);
  if (argument.content.kind != BufferContent::Kind::unknown)
    text += ":" + text_of(argument.content);
  return text;
}

std::string text_of(const BufferContent& content) {
  using Kind = BufferContent::Kind;
  switch (content.kind) {
    case Kind::unknown:
      return "unknown";
    case Kind::zeros:
      return "zeros";
    case Kind::ones:
      return "ones";
    case Kind::iota:
      return "iota";
    case Kind::fill:
      return "fill:" + exact_text(content.value);
    case Kind::file:
      return "file:" + content.path;
    case Kind::chain:
      return "chain:" + std::to_string(content.stride);
    case Kind::pointers:
      return "pointers:" + std::to_string(content.stride);
    case Kind::random:
      break;
  }
  std::string text = "random:" + std::to_string(content.seed);
  const bool standard_range = content.low == 0 && content.high == 1;
  if (!standard_range) text += ":" + exact_text(content.low) + ":" + exact_text(content.high);
  return text;
}

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
    return refusal(place, text, "is not a value", value_forms);
  }
  const std::string_view word = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  if (word == "buffer") return parse_buffer("", rest, text, place);
  if (word.starts_with("buffer.")) return parse_buffer(word.substr(7), rest, text, place);
  if (word == "hex") return parse_hex(rest, text, place);
  if (word == "same") return parse_same(rest, text, place);
  if (word == "tensor") return parse_tensor_argument(rest, place);
  if (const auto type = short_scalar_type(word)) {
    return parse_typed(*type, word, rest, text, place);
  }
  return refusal(place, text, "is not a value", value_forms);
}

Expected<NamedArgument> parse_argument_name(std::string_view text, std::string_view place) {
  NamedArgument argument;
  const std::string_view name = trim(text);
  const bool digits = name.find_first_not_of("0123456789") == std::string_view::npos;
  if (name.empty())
    return refusal(place, text, "names no parameter", "a parameter's name or index");
  if (!digits) {
    argument.name = name;
    return argument;
  }
  const auto index = parse_natural(name);
  if (!index || *index > std::numeric_limits<std::uint16_t>::max()) {
    return refusal(place, text, "is out of range", "an index below 65536");
  }
  argument.index = static_cast<std::uint32_t>(*index);
  return argument;
}

Expected<NamedArgument> parse_argument(std::string_view text, std::string_view place) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return refusal(place, text, "has no '='", "NAME=VALUE or INDEX=VALUE");
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
      "unknown, zeros, ones, iota, random, random:SEED, random:SEED:LOW:HIGH, fill:VALUE, "
      "chain:STRIDE, "
      "pointers:STRIDE or file:PATH";

  if (word == "random") return parse_random(has_rest ? rest : "0", text, place);
  if (word == "fill") {
    const auto value = parse_plain(rest);
    if (!value) return refusal(place, text, "has no number", "fill:VALUE");
    content.kind = Kind::fill;
    content.value = with_type(*value, "f64").floating;
    return content;
  }
  if (word == "chain" || word == "pointers") {
    const auto stride = parse_natural(rest);
    if (!stride || *stride == 0) {
      return refusal(place, text, "has no stride", std::string(word) + ":ELEMENTS, 1 or more");
    }
    content.kind = word == "chain" ? Kind::chain : Kind::pointers;
    content.stride = *stride;
    return content;
  }
  if (word == "file") {
    if (rest.empty()) return refusal(place, text, "names no file", "file:PATH");
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
    return refusal(place, text, "is not a content", forms);
  }
  if (has_rest) return refusal(place, text, "has something after its name", forms);
  return content;
}

std::string name_text(const NamedArgument& argument) {
  return argument.index ? std::to_string(*argument.index) : argument.name;
}

}  // namespace forewarp::request
