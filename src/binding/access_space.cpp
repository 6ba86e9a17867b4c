// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/access_space.h"

#include <string_view>

namespace forewarp::binding {

AccessSpace access_space(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_global:
    case InstructionClass::store_global:
    case InstructionClass::load_generic:
    case InstructionClass::store_generic:
    case InstructionClass::atomic_global:
    case InstructionClass::reduction_global:
    case InstructionClass::async_copy:
    case InstructionClass::surface_load:
    case InstructionClass::surface_store:
      return AccessSpace::global;
    case InstructionClass::load_shared:
    case InstructionClass::store_shared:
    case InstructionClass::load_matrix:
    case InstructionClass::atomic_shared:
      return AccessSpace::shared;
    case InstructionClass::load_local:
    case InstructionClass::store_local:
      return AccessSpace::local;
    case InstructionClass::shuffle:
    case InstructionClass::special_move:
    case InstructionClass::to_uniform:
    case InstructionClass::load_constant:
      return AccessSpace::other;
    default:
      return AccessSpace::none;
  }
}

bool is_store_class(InstructionClass c) {
  switch (c) {
    case InstructionClass::store_global:
    case InstructionClass::store_generic:
    case InstructionClass::store_shared:
    case InstructionClass::store_local:
    case InstructionClass::surface_store:
    case InstructionClass::reduction_global:
      return true;
    default:
      return false;
  }
}

bool is_bulk_copy(const Instruction& instruction) {
  const std::string_view name = opcode_info(instruction.opcode).mnemonic;
  return name.starts_with("UTMA") || name.starts_with("UBLK");
}

bool writes_only(InstructionClass instruction_class) {
  return is_store_class(instruction_class) &&
         instruction_class != InstructionClass::reduction_global;
}

}  // namespace forewarp::binding
