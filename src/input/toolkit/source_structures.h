// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// Structures of a source whose layout is plain: numbers, pointers, CUDA's vectors, arrays of
/// stated length and structures declared before; methods do not count. Templates, bases, virtual
/// functions, unions, bit fields and structures of more than 64 fields are left out.
[[nodiscard]] std::vector<SourceStructure> structures_in(std::string_view source);

}  // namespace forewarp::input
