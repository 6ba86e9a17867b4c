// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// A structure as its source declares it, laid out as the CUDA ABI does.
struct SourceStructure {
  struct Field {
    std::string name;  ///< "rows", "shape.x", "strides[2]"
    std::string type;  ///< of a number, a vector such as float4, or a pointer
    std::uint32_t offset = 0, size = 0;
  };
  std::string name;
  std::vector<Field> fields;
  std::uint32_t size = 0, alignment = 1;
};

/// float3 and its kin: x, y, z and w. Nothing for other types.
[[nodiscard]] std::optional<SourceStructure> vector_structure(std::string_view type);

/// Structures of a source whose layout is plain: numbers, pointers, CUDA's vectors, arrays of
/// stated length and structures declared before; methods do not count. Left out: templates, bases,
/// virtual functions, unions, bit fields, aligned members, more than 64 fields, what stands between
/// #if and #endif, and a name that two different structures have.
[[nodiscard]] std::vector<SourceStructure> structures_in(std::string_view source);

}  // namespace forewarp::input
