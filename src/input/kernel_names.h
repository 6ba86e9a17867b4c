// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// What a mangled name tells about a kernel.
struct KernelSignature {
  std::string name;                ///< ns::axpy, or scale<float, 4>
  std::vector<std::string> types;  ///< of the parameters, in order
  bool has_types = false;          ///< false for names that are not mangled (extern "C")
};

[[nodiscard]] KernelSignature kernel_signature(const std::string& mangled);

/// The same for a variable: ns::table, without what hides it from other files.
[[nodiscard]] std::string plain_symbol_name(const std::string& mangled);

/// ns::scale<float, 4> -> scale, as users usually type it.
[[nodiscard]] std::string_view base_name(std::string_view name);

struct TypeLayout {
  std::uint32_t size = 0;
  std::uint32_t alignment = 0;
  bool pointer = false;
};

/// Size and alignment of a C++ type in the CUDA ABI; nullopt for structures and other types that
/// are not built in.
[[nodiscard]] std::optional<TypeLayout> type_layout(std::string_view type);

/// The first multiple of `alignment` that is not below `offset`.
[[nodiscard]] constexpr std::uint32_t aligned_offset(std::uint32_t offset,
                                                     std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace forewarp::input
