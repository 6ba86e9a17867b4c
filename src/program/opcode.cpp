// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/opcode.h"

#include <array>

#include "program/name_index.h"

namespace forewarp::program {
namespace {

constexpr auto opcodes = std::to_array<OpcodeInfo>({
    {"", InstructionClass::unknown, DestinationForm::none, 0, Arithmetic::none, 1},
#define OPCODE(mnemonic, class_, form, wide) \
  {#mnemonic, InstructionClass::class_, DestinationForm::form, wide, Arithmetic::none, 1},
#define OPERATION(mnemonic, class_, form, wide, arithmetic, packed) \
  {#mnemonic, InstructionClass::class_, DestinationForm::form,      \
   wide,      Arithmetic::arithmetic,   packed},
#include "program/opcode_table.inc"
#undef OPCODE
#undef OPERATION
});

constexpr auto mnemonics_of_table() {
  std::array<std::string_view, opcodes.size()> mnemonics;
  for (std::size_t i = 0; i < opcodes.size(); ++i) mnemonics[i] = opcodes[i].mnemonic;
  return mnemonics;
}
constexpr NameIndex<opcodes.size(), 1024> opcode_index(mnemonics_of_table());

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) {
  return opcodes[opcode < opcodes.size() ? opcode : unknown_opcode];
}

Opcode find_opcode(std::string_view mnemonic) {
  return opcode_index.find(mnemonic);
}

std::size_t opcode_count() {
  return opcodes.size();
}

}  // namespace forewarp::program
