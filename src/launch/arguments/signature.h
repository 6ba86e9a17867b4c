// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::launch {

/// Room kept for a buffer of unstated size; far more than any board has, nothing is allocated.
inline constexpr std::uint64_t unsized_reserve = std::uint64_t{1} << 36U;

/// A region of device memory that arguments point to.
struct BoundBuffer {
  std::uint32_t parameter = 0;  ///< the first one that points to it
  std::uint64_t address = 0;    ///< virtual; a multiple of 256
  std::uint64_t bytes = 0;      ///< 0 where `sized` is false
  bool sized = true;            ///< false: assumed for a pointer that was not given
  BufferContent content;  ///< its type is the parameter's where none was stated and one is known
};

/// One parameter with what it was given.
struct BoundParameter {
  enum class Source : std::uint8_t { unset, number, bytes, buffer, assumed_buffer };
  static constexpr std::uint32_t no_buffer = 0xffffffff;

  Source source = Source::unset;
  std::uint32_t offset = 0, size = 0;  ///< in the parameter area, bytes
  bool floating = false;               ///< `number` was stored as a floating type
  std::int64_t integer = 0;            ///< of a number; also the address of a buffer
  double number = 0;                   ///< the same as a number
  std::uint32_t buffer = no_buffer;    ///< index into BoundArguments::buffers
};

/// Arguments as the kernel finds them. Nothing is invented silently: what was not given and what
/// had to be assumed is listed by parameter index.
struct BoundArguments {
  std::vector<std::uint8_t> bytes;  ///< the parameter area of the constant bank
  std::vector<std::uint8_t> known;  ///< 1 for each byte of `bytes` that was given
  std::vector<BoundParameter> parameters;
  std::vector<BoundBuffer> buffers;  ///< in allocation order: by parameter index
  std::vector<std::uint32_t> unset;  ///< numbers and structures without a value
  std::vector<std::uint32_t>
      assumed_buffers;  ///< pointers without a buffer: size and content unknown
  std::vector<std::uint32_t>
      typed_by_form;  ///< plain numbers read as integer or floating as written
  bool layout_from_arguments =
      false;  ///< the code tells too little: offsets follow from the arguments

  /// The sign-extended integer of `size` bytes (1, 2, 4, 8) at `offset` of the parameter area, if
  /// all of it was given.
  [[nodiscard]] std::optional<std::int64_t> integer_at(std::uint32_t offset,
                                                       std::uint32_t size) const;
};

/// Puts arguments where the kernel's parameters are; a later argument replaces an earlier one for
/// the same parameter. Refused: a name or an index that the kernel lacks (with those it has), a
/// value that does not fit its parameter, a shared buffer that is none.
/// Where the parameters were only inferred from the code and the arguments are given in order by
/// index, their offsets follow C's layout of the arguments, as unused parameters leave no trace.
Expected<BoundArguments> bind_arguments(const Kernel& kernel,
                                        const std::vector<NamedArgument>& arguments);

/// Where the declared parameter `ordinal` stands among Kernel::parameters: structures before it
/// stand as their fields. Of a structure: its first field.
[[nodiscard]] std::size_t index_of_declared(const Kernel& kernel, std::size_t ordinal);

/// The other way: which declared parameter one of Kernel::parameters is, or is a field of.
[[nodiscard]] std::size_t declared_index(const Kernel& kernel, std::size_t index);

/// "n (int)", "#2 (8 bytes)" without a name or type: for messages.
[[nodiscard]] std::string parameter_text(const Parameter& parameter, std::size_t index);

/// "n (int), x (float*)".
[[nodiscard]] std::string parameter_list(const std::vector<Parameter>& parameters);

/// The short scalar name of what a pointer of this C type points to: "const float*" -> "f32".
[[nodiscard]] std::string element_type(const std::string& pointer_type);

}  // namespace forewarp::launch
