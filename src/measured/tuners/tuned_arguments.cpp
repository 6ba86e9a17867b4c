// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "measured/tuners/tuned_launch.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"

namespace forewarp::measured {

namespace {

/// Short type and elements of "float4", "int32", "half".
struct ElementType {
  std::string_view name;
  std::uint64_t bytes = 0, elements = 1;
};

std::optional<ElementType> element_type(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 21> types{{
      {"bool", {"u8", 1}},    {"int8", {"i8", 1}},    {"uint8", {"u8", 1}},
      {"char", {"i8", 1}},    {"uchar", {"u8", 1}},   {"int16", {"i16", 2}},
      {"uint16", {"u16", 2}}, {"short", {"i16", 2}},  {"ushort", {"u16", 2}},
      {"int32", {"i32", 4}},  {"uint32", {"u32", 4}}, {"int", {"i32", 4}},
      {"uint", {"u32", 4}},   {"int64", {"i64", 8}},  {"uint64", {"u64", 8}},
      {"long", {"i64", 8}},   {"ulong", {"u64", 8}},  {"float64", {"f64", 8}},
      {"half", {"f16", 2}},   {"float", {"f32", 4}},  {"double", {"f64", 8}},
  }};
  if (type == "float32") return ElementType{"f32", 4};  // numpy's, else a vector of 32
  for (const auto& [name, element] : types) {
    if (type == name) return element;
  }
  for (const auto& [name, element] : types) {
    if (!type.starts_with(name)) continue;
    const auto count = parse_natural(type.substr(name.size()));
    if (count && *count >= 2 && *count <= 16)
      return ElementType{element.name, element.bytes, *count};
  }
  return {};
}

BufferContent content_of(const TunedArgument& argument, double value,
                         const TuningProblem& problem) {
  using Kind = BufferContent::Kind;
  BufferContent content;
  if (argument.fill == "Constant") {
    content.kind = value == 0 ? Kind::zeros : Kind::fill;
    content.value = value;
  } else if (argument.fill == "Random") {
    content.kind = Kind::random;
    content.seed = argument.seed;
    content.low = std::min(0.0, value);
    content.high = value == 0 ? 1 : std::max(0.0, value);
  } else if (argument.fill == "BinaryRaw" && !argument.source.empty()) {
    content.kind = Kind::file;
    content.path = (problem.origin.directory / argument.source).string();
  }
  return content;
}

Expected<Argument> buffer_of(const TunedArgument& argument, const TuningProblem& problem,
                             TunedScope& scope) {
  const auto type = element_type(argument.type);
  double bytes = type ? static_cast<double>(type->bytes * type->elements) : 0;
  if (!type) {
    const auto own = scope.value(argument.type_bytes.empty() ? "0" : argument.type_bytes);
    if (!own) return own.error();
    bytes = *own;
  }
  const auto count = scope.value(argument.count.empty() ? "0" : argument.count);
  if (!count) return count.error();
  const auto value = scope.value(argument.value.empty() ? "0" : argument.value);
  if (!value) return value.error();
  const double all = *count * bytes;
  constexpr double most = 1e15;
  if (!(all >= 1 && all < most) || all != std::floor(all)) {
    return Diagnostic{"",
                      "argument '" + argument.name + "' of type '" + argument.type + "' has " +
                          significant(all) + " bytes",
                      "a known type or TypeSize, and Size", ""};
  }
  Argument buffer;
  buffer.kind = Argument::Kind::buffer;
  buffer.buffer_bytes = static_cast<std::uint64_t>(all);
  buffer.content = content_of(argument, *value, problem);
  if (type) buffer.content.type = type->name;
  return buffer;
}

Expected<Argument> scalar_of(const TunedArgument& argument, TunedScope& scope) {
  const auto type = element_type(argument.type);
  if (!type || type->elements != 1) {
    return Diagnostic{
        "", "argument '" + argument.name + "' is a scalar of type '" + argument.type + "'",
        "a number's type", ""};
  }
  const auto value = scope.value(argument.value);
  if (!value) return value.error();
  Argument number;
  number.kind = Argument::Kind::floating;
  number.floating = *value;
  const auto stated = short_scalar_type(type->name);
  if (!stated || !scalar_bits(number, *stated)) {
    return Diagnostic{"", "argument '" + argument.name + "' is " + exact_text(*value),
                      "a value of " + argument.type, ""};
  }
  return with_type(std::move(number), type->name);
}

}  // namespace

Expected<void> set_tuned_arguments(const TuningProblem& problem, TunedScope& scope, Case& request) {
  using Memory = TunedArgument::Memory;
  double shared = 0;
  if (!problem.dynamic_shared.empty()) {
    const auto bytes = scope.value(problem.dynamic_shared);
    if (!bytes) return bytes.error();
    shared = *bytes;
  }
  std::uint32_t index = 0;
  for (const TunedArgument& argument : problem.arguments) {
    auto value = argument.memory == Memory::scalar ? scalar_of(argument, scope)
                                                   : buffer_of(argument, problem, scope);
    if (!value) return std::move(value).error();
    if (argument.memory == Memory::local) {
      shared += static_cast<double>(value->buffer_bytes);
      continue;
    }
    const bool constant = argument.memory == Memory::symbol || argument.constant_too;
    if (constant) request.launch.constants.push_back({argument.name, {}, *value});
    if (argument.memory != Memory::symbol)
      request.launch.arguments.push_back({"", index++, *value});
  }
  constexpr double most = 1 << 30;
  if (!(shared >= 0 && shared <= most)) {
    return Diagnostic{"", "shared memory of " + significant(shared) + " bytes", "a size", ""};
  }
  request.launch.dynamic_shared = static_cast<std::uint32_t>(shared);
  request.has_dynamic_shared = true;
  return {};
}

}  // namespace forewarp::measured
