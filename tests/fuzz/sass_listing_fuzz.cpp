// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a listing: every kernel that comes out must be consistent enough to be walked over.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "input/sass/sass_reader.h"
#include "program/roles.h"

namespace {

using namespace forewarp;

void require(bool holds) {
  if (!holds) std::abort();
}

void walk_module(const Kernel& kernel) {
  for (const ConstantData& bank : kernel.constant_banks) require(bank.bytes.size() <= 65536);
  for (const ModuleSymbol& symbol : kernel.symbols) {
    require(symbol.content.size() <= symbol.size);
    require(symbol.space == SymbolSpace::global || symbol.offset + symbol.size <= 2 * 65536);
  }
  for (const SymbolAddress& address : kernel.symbol_addresses) {
    require(address.symbol < kernel.symbols.size() || address.symbol == SymbolAddress::no_symbol);
    switch (address.place) {
      case SymbolAddress::Place::operand:
        require(address.holder < kernel.operands.size());
        break;
      case SymbolAddress::Place::constant:
        require(address.offset < 65536);
        break;
      case SymbolAddress::Place::global:
        require(address.holder < kernel.symbols.size());
        require(address.offset < kernel.symbols[address.holder].content.size());
        break;
    }
  }
}

void walk(const Kernel& kernel) {
  require(!kernel.instructions.empty());
  std::uint32_t before = 0;
  for (const Instruction& instruction : kernel.instructions) {
    require(&instruction == kernel.instructions.data() || instruction.address > before);
    before = instruction.address;
    require(instruction.text_begin + std::size_t{instruction.text_size} <= kernel.text.size());
    require(instruction.first_operand + std::size_t{instruction.operand_count} <=
            kernel.operands.size());
    for (const Operand& operand : kernel.operands_of(instruction)) {
      require(operand.text_begin + std::size_t{operand.text_size} <= kernel.text.size());
    }
    require(roles_of(kernel, instruction).read_count <= Roles::capacity);
    require(access_bytes(instruction) <= 16);
    require(&kernel.instructions[kernel.index_at(instruction.address)] == &instruction);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  forewarp::SassReader reader(forewarp::InputSource::of_text("fuzz.sass", text));
  for (;;) {
    const auto kernel = reader.next();
    if (!kernel) {
      require(kernel.error().line().find('\n') == std::string::npos);
      return 0;
    }
    if (!*kernel) return 0;
    walk(**kernel);
    walk_module(**kernel);
  }
}
