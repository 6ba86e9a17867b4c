// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::prediction {

/// Index of the symbol that a constant of the launch names: by its plain or mangled name, or by the
/// last part of the name if that is unique. Refuses others, and lists the symbols that exist.
Expected<std::uint32_t> chosen_symbol(const Kernel& kernel, const NamedArgument& constant);

/// Bytes that a launch gives a symbol, and which of them are known.
struct SymbolContent {
  std::vector<std::uint8_t> bytes, known;
};

/// The bytes of a number (without a type, of the symbol's size), of hex bytes or of a buffer.
/// Refuses what is longer than the symbol: a buffer behind a pointer is the caller's task.
Expected<SymbolContent> symbol_content(const ModuleSymbol& symbol, const Argument& value);

/// The description of a buffer for a symbol, still without bytes and address.
Expected<ExecutionBuffer> symbol_buffer(const ModuleSymbol& symbol, const Argument& value);

}  // namespace forewarp::prediction
