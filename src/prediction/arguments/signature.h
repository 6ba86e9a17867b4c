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
#include "program/tensor_map.h"

namespace forewarp::prediction {

/// Address space, bytes, reserved for a buffer of unknown size: far more than any board has.
/// Nothing is allocated.
inline constexpr std::uint64_t unsized_reserve = std::uint64_t{1} << 36U;

/// A region of device memory that arguments point to.
struct BoundBuffer {
  std::uint32_t parameter = 0;      ///< index of the first parameter that points to it
  std::uint64_t address = 0;        ///< virtual; a multiple of 256
  std::uint64_t bytes = 0;          ///< 0 where `sized` is false
  bool sized = true;                ///< false: assumed for a pointer that was not given
  BufferContent content;            ///< if no type was given, that of the parameter, if known
  std::vector<std::uint8_t> given;  ///< contents in memory; empty: as `content` says
};

/// One parameter with the value that it was given.
struct BoundParameter {
  enum class Source : std::uint8_t { unset, number, bytes, buffer, assumed_buffer };
  static constexpr std::uint32_t no_buffer = 0xffffffff;

  Source source = Source::unset;
  std::uint32_t offset = 0, size = 0;  ///< in the parameter area, bytes
  bool floating = false;               ///< `number` was stored as a floating type
  std::int64_t integer = 0;            ///< the number as an integer; of a buffer, its address
  double number = 0;                   ///< the number as a floating one
  std::uint32_t buffer = no_buffer;    ///< index into BoundArguments::buffers
};

/// Arguments as the kernel sees them. Nothing is assumed silently: what was not given and what had
/// to be assumed is listed by parameter index.
struct BoundArguments {
  std::vector<std::uint8_t> bytes;  ///< the parameter area of the constant bank
  std::vector<std::uint8_t> known;  ///< 1 for each byte of `bytes` that was given
  std::vector<BoundParameter> parameters;
  std::vector<TensorMap> tensor_maps;  ///< by the number that the parameters hold
  std::vector<BoundBuffer> buffers;    ///< in allocation order: by parameter index
  std::vector<std::uint32_t> unset;    ///< numbers and structures without a value
  std::vector<std::uint32_t>
      assumed_buffers;  ///< pointers without a buffer: size and content unknown
  std::vector<std::uint32_t>
      typed_by_form;  ///< plain numbers read as integer or floating as written
  bool layout_from_arguments =
      false;  ///< the code does not tell the parameters: their offsets follow from the arguments

  /// The sign-extended integer of `size` bytes (1, 2, 4, 8) at `offset` of the parameter area, if
  /// all of it was given.
  [[nodiscard]] std::optional<std::int64_t> integer_at(std::uint32_t offset,
                                                       std::uint32_t size) const;
};

/// Puts arguments where the kernel's parameters are; a later argument replaces an earlier one for
/// the same parameter. Refuses a name or an index that the kernel lacks (with those it has), a
/// value that does not fit its parameter, and sharing with an argument that is no buffer. Where the
/// parameters were only inferred from the code and the arguments are given in order by index, their
/// offsets follow C's layout of the arguments, as unused parameters leave no trace.
Expected<BoundArguments> bind_arguments(const Kernel& kernel,
                                        const std::vector<NamedArgument>& arguments);

/// Index in Kernel::parameters of the declared parameter `ordinal`, which differ as structures are
/// listed by their fields. Of a structure: the index of its first field.
[[nodiscard]] std::size_t index_of_declared(const Kernel& kernel, std::size_t ordinal);

/// The inverse: the declared parameter that Kernel::parameters[index] is, or is a field of.
[[nodiscard]] std::size_t declared_index(const Kernel& kernel, std::size_t index);

/// "n (int)", "#2 (8 bytes)" without a name or type: for messages.
[[nodiscard]] std::string parameter_text(const Parameter& parameter, std::size_t index);

/// "n (int), x (float*)".
[[nodiscard]] std::string parameter_list(const std::vector<Parameter>& parameters);

/// The short scalar name of the type that a pointer of this C type points to: "const float*" ->
/// "f32".
[[nodiscard]] std::string element_type(const std::string& pointer_type);

}  // namespace forewarp::prediction
