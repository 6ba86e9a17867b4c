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

constexpr std::uint32_t wide = 8;
constexpr std::uint32_t narrow = 4;

std::uint32_t plain_number_size(const Argument& argument, std::uint32_t offset,
                                const std::vector<Parameter>& inferred) {
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

bool is_plain_number(const Argument& argument) {
  const bool number =
      argument.kind == Argument::Kind::integer || argument.kind == Argument::Kind::floating;
  return number && !short_scalar_type(argument.type);
}

/// `narrowed`: a plain number that would take 8 bytes takes 4.
Parameter placed(const Argument& argument, std::uint32_t offset,
                 const std::vector<Parameter>& inferred, bool narrowed) {
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
    parameter.size = alignment = stated     ? stated->bytes
                                 : narrowed ? narrow
                                            : plain_number_size(argument, offset, inferred);
  }
  parameter.offset = rounded_up(offset, alignment);
  const Parameter* const read = parameter_at(inferred, parameter.offset);
  if (read != nullptr && read->size == parameter.size && is_plain_number(argument))
    parameter.type = read->type;
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

/// The arguments one behind the other; bit i of `narrowed` is for the i-th of them.
std::vector<Parameter> placed_in_order(const std::vector<const Argument*>& arguments,
                                       const std::vector<Parameter>& inferred,
                                       std::uint64_t narrowed) {
  std::vector<Parameter> layout;
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    layout.push_back(placed(*arguments[i], end, inferred, (narrowed >> i & 1U) != 0));
    end = layout.back().offset + layout.back().size;
  }
  return layout;
}

/// Pointers of the code that no buffer covers, and buffers where the code has none, up to the end
/// of what was given.
std::size_t contradictions(const std::vector<Parameter>& layout,
                           const std::vector<Parameter>& inferred) {
  std::size_t count = 0;
  const std::uint32_t end = layout.empty() ? 0 : layout.back().offset + layout.back().size;
  for (const Parameter& parameter : inferred) {
    if (!parameter.pointer || parameter.offset >= end) continue;
    const Parameter* const given = parameter_at(layout, parameter.offset);
    count += given == nullptr || !given->pointer ? 1 : 0;
  }
  const std::uint32_t read_end =
      inferred.empty() ? 0 : inferred.back().offset + inferred.back().size;
  for (const Parameter& given : layout) {
    if (!given.pointer || given.offset >= read_end) continue;
    const Parameter* const read = parameter_at(inferred, given.offset);
    count += read == nullptr || read->size != wide ? 1 : 0;
  }
  return count;
}

/// Which plain numbers take 4 bytes though the code has 8 there that it reads at once or not at
/// all: as few as possible, so that buffers come to lie where the code has pointers.
std::uint64_t narrowed_numbers(const std::vector<const Argument*>& arguments,
                               const std::vector<Parameter>& inferred) {
  constexpr std::size_t most = 12;  // arguments that are tried in all combinations
  const std::size_t count = std::min(arguments.size(), most);
  std::uint64_t best = 0;
  std::size_t least = contradictions(placed_in_order(arguments, inferred, 0), inferred);
  for (std::uint64_t tried = 1; tried < (std::uint64_t{1} << count) && least != 0; ++tried) {
    bool numbers = true;
    for (std::size_t i = 0; i < count; ++i)
      numbers = numbers && ((tried >> i & 1U) == 0 || is_plain_number(*arguments[i]));
    if (!numbers) continue;
    const std::size_t found = contradictions(placed_in_order(arguments, inferred, tried), inferred);
    if (found >= least) continue;
    least = found;
    best = tried;
  }
  return best;
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
  const std::vector<const Argument*> ordered = by_index(arguments);
  std::vector<Parameter> layout =
      placed_in_order(ordered, inferred, narrowed_numbers(ordered, inferred));
  const std::uint32_t end = layout.empty() ? 0 : layout.back().offset + layout.back().size;
  for (const Parameter& parameter : inferred) {
    if (parameter.offset >= end) layout.push_back(parameter);
  }
  return layout;
}

}  // namespace forewarp::prediction
