// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/memory_space.h"

namespace forewarp::program {

/// Bytes of a constant bank other than 0, as in the compiled file: module-scope constants (3), the
/// compiler's own constants and jump tables (2), addresses (4).
struct ConstantData {
  std::uint32_t bank = 0;
  std::vector<std::uint8_t> bytes;
};

/// A `__constant__` or `__device__` variable of a kernel's module.
struct ModuleSymbol {
  static constexpr std::uint64_t unknown_size = 0;

  std::string name;                           ///< plain: ns::table
  std::string mangled;                        ///< as in the file: _ZN2ns5tableE
  MemorySpace space = MemorySpace::constant;  ///< or global
  std::uint32_t bank = 3;                     ///< of a constant
  std::uint64_t offset = 0;  ///< bytes: in the bank, or from the module's first variable on
  std::uint64_t size = 0;    ///< bytes; unknown_size if only code mentions the variable
  bool used = false;         ///< the kernel takes its address, or reads its part of the bank
  bool initialised = false;  ///< the file contains its initial value
  std::vector<std::uint8_t> content;  ///< of a used global variable; the rest is zero
};

/// A place that holds a variable's address once the module is loaded.
struct SymbolAddress {
  enum class Place : std::uint8_t { operand, constant, global };
  enum class Part : std::uint8_t { low, high, whole };  ///< 4, 4 or 8 bytes of the address

  static constexpr std::uint32_t no_symbol = 0xffffffffU;

  Place place = Place::operand;
  Part part = Part::whole;
  /// Index into Kernel::symbols; no_symbol: address of a function.
  std::uint32_t symbol = no_symbol;
  std::int64_t addend = 0;   ///< bytes after the symbol's start
  std::uint32_t holder = 0;  ///< index of the operand or symbol, or number of the bank
  std::uint64_t offset = 0;  ///< bytes into the bank or the symbol
};

}  // namespace forewarp::program
