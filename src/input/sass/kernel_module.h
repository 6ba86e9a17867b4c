// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "input/sass/module_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Adds to a kernel with known names its constant banks, its module's variables, and the places in
/// code and banks that hold addresses of variables.
void complete_module(Kernel& kernel, const ModuleStore& modules);

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
