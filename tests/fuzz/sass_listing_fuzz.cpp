// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a listing: every kernel that comes out must be consistent enough to be walked over.
#include <cstddef>
#include <cstdint>
#include <string>

#include "input/sass/sass_reader.h"
#include "kernel_walk.h"

namespace {

using namespace forewarp::tests;

void walk_module(const Kernel& kernel) {
  for (const ConstantData& bank : kernel.constant_banks) require(bank.bytes.size() <= 65536);
  for (const ModuleSymbol& symbol : kernel.symbols) {
    require(symbol.content.size() <= symbol.size);
    require(symbol.space == MemorySpace::global || symbol.offset + symbol.size <= 2 * 65536);
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  forewarp::tests::SassReader reader(forewarp::tests::InputSource::of_text("fuzz.sass", text));
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
