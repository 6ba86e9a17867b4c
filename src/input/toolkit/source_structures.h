// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// A structure as declared in a source, with the layout of the CUDA ABI.
struct SourceStructure {
  struct Field {
    std::string name;  ///< "rows", "shape.x", "strides[2]"
    std::string type;  ///< a number, a vector such as float4, or a pointer
    std::uint32_t offset = 0, size = 0;
  };
  std::string name;
  std::vector<Field> fields;
  std::uint32_t size = 0, alignment = 1;
};

/// float3 and the like, with fields x, y, z and w; nullopt for other types.
[[nodiscard]] std::optional<SourceStructure> vector_structure(std::string_view type);

/// Structures of a source with a plain layout: numbers, pointers, CUDA's vectors, arrays of literal
/// length and structures declared before; methods are ignored. Left out: templates, bases, virtual
/// functions, unions, bit fields, aligned members, more than 64 fields, code between #if and
/// #endif, and names that two different structures have.
[[nodiscard]] std::vector<SourceStructure> structures_in(std::string_view source);

}  // namespace forewarp::input
