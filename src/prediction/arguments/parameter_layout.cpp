// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/arguments/parameter_layout.h"

#include <algorithm>

#include "program/scalar_type.h"
#include "request/tensor_text.h"

namespace forewarp::prediction {

namespace {

constexpr std::uint32_t pointer_bytes = 8;  // of a device pointer in 64-bit code

std::uint32_t rounded_up(std::uint32_t offset, std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

const Parameter* parameter_at(const std::vector<Parameter>& parameters, std::uint32_t offset) {
  for (const Parameter& parameter : parameters) {
    if (parameter.offset == offset) return &parameter;
  }
  return nullptr;
}

std::uint32_t plain_number_size(const Argument& argument, std::uint32_t offset,
                                const std::vector<Parameter>& inferred) {
  constexpr std::uint32_t wide = 8;
  constexpr std::uint32_t narrow = 4;
  if (beyond_signed(argument)) return wide;
  const Parameter* as_wide = parameter_at(inferred, rounded_up(offset, wide));
  const bool narrow_there = rounded_up(offset, narrow) != rounded_up(offset, wide) &&
                            parameter_at(inferred, rounded_up(offset, narrow)) != nullptr;
  return as_wide != nullptr && as_wide->size == wide && !narrow_there ? wide : narrow;
}

/// A structure's alignment is not known: takes the largest that divides its size, at most 8.
std::uint32_t structure_alignment(std::uint32_t size) {
  std::uint32_t alignment = 8;
  while (size % alignment != 0) alignment /= 2;
  return alignment;
}

Parameter placed(const Argument& argument, std::uint32_t offset,
                 const std::vector<Parameter>& inferred) {
  Parameter parameter;
  std::uint32_t alignment = 0;
  if (argument.kind == Argument::Kind::bytes) {
    parameter.size = static_cast<std::uint32_t>(argument.bytes.size());
    alignment = structure_alignment(parameter.size);
    if (is_tensor(argument)) {
      // Maps lie at multiples of 64 bytes of the constant bank, in which parameters begin at 0x210.
      constexpr std::uint32_t map_alignment = 64, begin = 0x210;
      parameter.offset = rounded_up(begin + offset, map_alignment) - begin;
      return parameter;
    }
  } else if (argument.kind == Argument::Kind::buffer ||
             argument.kind == Argument::Kind::same_buffer) {
    parameter.size = alignment = pointer_bytes;
    parameter.pointer = true;
  } else {
    const auto stated = short_scalar_type(argument.type);
    parameter.size = alignment =
        stated ? stated->bytes : plain_number_size(argument, offset, inferred);
  }
  parameter.offset = rounded_up(offset, alignment);
  return parameter;
}

/// Arguments by index; of several for one index, the last wins.
std::vector<const Argument*> by_index(const std::vector<NamedArgument>& arguments) {
  std::vector<const Argument*> ordered;
  for (const NamedArgument& argument : arguments) {
    if (*argument.index >= ordered.size()) ordered.resize(*argument.index + std::size_t{1});
    ordered[*argument.index] = &argument.value;
  }
  return ordered;
}

}  // namespace

bool given_in_order(const std::vector<NamedArgument>& arguments) {
  for (const NamedArgument& argument : arguments) {
    if (!argument.index) return false;
  }
  const auto ordered = by_index(arguments);
  return std::none_of(ordered.begin(), ordered.end(),
                      [](const Argument* argument) { return argument == nullptr; });
}

std::vector<Parameter> layout_of_arguments(const std::vector<NamedArgument>& arguments,
                                           const std::vector<Parameter>& inferred) {
  std::vector<Parameter> layout;
  std::uint32_t end = 0;
  for (const Argument* argument : by_index(arguments)) {
    layout.push_back(placed(*argument, end, inferred));
    end = layout.back().offset + layout.back().size;
  }
  for (const Parameter& parameter : inferred) {
    if (parameter.offset >= end) layout.push_back(parameter);
  }
  return layout;
}

}  // namespace forewarp::prediction
