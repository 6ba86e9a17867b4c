// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "input/sass/module_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Gives a kernel whose names are known its constant banks, the variables of its module, and the
/// places in code and banks that hold addresses of variables.
void complete_module(Kernel& kernel, const ModuleStore& modules);

/// 32@lo(table), 32@hi((table + 0x10)), 32@lo((kernel + .L_3@srel)): half of an address, as
/// nvdisasm prints it instead of a number.
struct AddressWord {
  SymbolAddress::Part part = SymbolAddress::Part::low;
  std::string_view symbol;
  std::string_view label;  ///< of code behind the symbol; empty where `addend` says how far
  std::int64_t addend = 0;
};
[[nodiscard]] std::optional<AddressWord> address_word(std::string_view operand);

}  // namespace forewarp::input
