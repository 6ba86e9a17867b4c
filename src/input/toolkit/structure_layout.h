// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// A structure as declared in a source, with the layout of the CUDA ABI.
struct SourceStructure {
  struct Field {
    std::string name;  ///< "rows", "shape.x", "strides[2]"
    std::string type;  ///< a number, a vector such as float4, or a pointer; else what it is instead
    std::uint32_t offset = 0, size = 0;
    bool plain = true;  ///< false: bytes that no number stands for, such as a union
  };
  std::string name;
  std::vector<Field> fields;
  std::uint32_t size = 0, alignment = 1;
  /// False: the last field is the first member that was not understood. It and what follows begin
  /// at `size`, and only the compiled code knows where they end.
  bool complete = true;
};

/// What names stand for inside a structure: template parameters, its own types and constants.
using BoundNames = std::map<std::string, std::string, std::less<>>;

/// The structure that a type names, outside of the one that is laid out; nullopt if there is none.
using FindStructure = std::function<std::optional<SourceStructure>(const std::string& type)>;

/// A structure's text between its braces, and what is known of it from around them.
struct StructureText {
  std::string name;
  std::uint32_t alignment = 1;  ///< stated by __align__ or alignas
  std::string_view body;
};

/// The structure laid out member by member; nullopt if no field of it is understood.
[[nodiscard]] std::optional<SourceStructure> lay_out(const StructureText& text, BoundNames names,
                                                     const FindStructure& find);

/// float3 and the like, with fields x, y, z and w; nullopt for other types.
[[nodiscard]] std::optional<SourceStructure> vector_structure(std::string_view type);

/// The same for all built-in types: a number and a pointer have one field without a name.
[[nodiscard]] std::optional<SourceStructure> number_structure(std::string_view type);

/// The alignment in "__align__(16)" or "alignas(16)", which is removed together with what stands
/// before it; 1 without one, nullopt if it is no literal.
[[nodiscard]] std::optional<std::uint32_t> take_alignment(std::string_view& head);

/// The text with each whole word that is bound replaced.
[[nodiscard]] std::string with_bound_names(std::string_view text, const BoundNames& names);

/// The type of an enumeration's values: "Kind : unsigned char" -> "unsigned char", int without one.
[[nodiscard]] std::string enumeration_type(std::string_view head);

}  // namespace forewarp::input
