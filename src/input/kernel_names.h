// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// What a mangled name says about a kernel.
struct KernelSignature {
  std::string name;                ///< ns::axpy, or scale<float, 4>
  std::vector<std::string> types;  ///< of the parameters, in order
  bool has_types = false;          ///< false for names that are not mangled (extern "C")
};

[[nodiscard]] KernelSignature kernel_signature(const std::string& mangled);

/// The same of a variable: ns::table; what hides it from other files is left out.
[[nodiscard]] std::string plain_symbol_name(const std::string& mangled);

/// ns::scale<float, 4> -> scale: what users usually type.
[[nodiscard]] std::string_view base_name(std::string_view name);

struct TypeLayout {
  std::uint32_t size = 0;
  std::uint32_t alignment = 0;
  bool pointer = false;
};

/// Size and alignment of a C++ type as the CUDA ABI lays it out; nothing for structures and other
/// names that are not built in.
[[nodiscard]] std::optional<TypeLayout> type_layout(std::string_view type);

/// The first multiple of the alignment from an offset on.
[[nodiscard]] constexpr std::uint32_t aligned_offset(std::uint32_t offset,
                                                     std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace forewarp::input
