// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/sass/module_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// A function whose code stands behind the kernel that calls it.
struct PlacedFunction {
  std::string name;         ///< as in the listing
  std::uint32_t begin = 0;  ///< address in the kernel
};

/// Adds to a kernel with known names its constant banks, its module's variables, and the places in
/// code and banks that hold addresses of variables and of its `functions`.
void complete_module(Kernel& kernel, const ModuleStore& modules,
                     std::span<const PlacedFunction> functions = {});

/// Functions that a kernel may need: those that relocations of the code of `function` name, and, if
/// `by_address`, all whose addresses the data of its module holds. Other names may be among them.
[[nodiscard]] std::vector<std::string> names_in_relocations(const ModuleFacts& facts,
                                                            const std::string& function,
                                                            bool by_address);

/// Half of an address as nvdisasm prints it instead of a number: 32@lo(table), 32@hi((table +
/// 0x10)), 32@lo((kernel + .L_3@srel)).
struct AddressWord {
  SymbolAddress::Part part = SymbolAddress::Part::low;
  std::string_view symbol;
  std::string_view label;  ///< of code relative to the symbol; empty if `addend` gives the offset
  std::int64_t addend = 0;
};
[[nodiscard]] std::optional<AddressWord> address_word(std::string_view operand);

}  // namespace forewarp::input
