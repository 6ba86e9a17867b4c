// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::launch {

/// Index of the symbol that a constant of the launch names: by its plain or mangled name, or by the
/// last part of the name where only one symbol has it. Refused with the symbols that there are.
Expected<std::uint32_t> chosen_symbol(const Kernel& kernel, const NamedArgument& constant);

/// Bytes that a launch gives a symbol, and which of them are known.
struct SymbolContent {
  std::vector<std::uint8_t> bytes, known;
};

/// A number (a plain one takes the symbol's size, a typed one its own), hex bytes or a buffer, none
/// longer than the symbol. A buffer behind a pointer is the caller's.
Expected<SymbolContent> symbol_content(const ModuleSymbol& symbol, const Argument& value);

/// The same of a buffer, without its bytes and its address.
Expected<ExecutionBuffer> symbol_buffer(const ModuleSymbol& symbol, const Argument& value);

}  // namespace forewarp::launch
