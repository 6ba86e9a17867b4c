// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/classify.h"

#include <algorithm>
#include <array>

#include "program/modifier.h"
#include "program/name_index.h"

namespace forewarp::program {
namespace {

// In the order of InstructionClass. Trailing underscores, which keywords need, are not printed.
constexpr auto class_names = std::to_array<std::string_view>({
    "unknown",
    "fp32",
    "fp32_select",
    "fp32_compare",
    "range_reduction",
    "fp16",
    "fp16_mma",
    "fp16_select",
    "fp16_compare",
    "fp64",
    "fp64_compare",
    "integer",
    "integer_compare",
    "shift_add",
    "logic",
    "shift",
    "byte_permute",
    "select",
    "move",
    "predicate",
    "integer_multiply",
    "integer_multiply_wide",
    "video",
    "bit_count",
    "conversion",
    "conversion_double",
    "conversion_fast",
    "sfu",
    "division_check",
    "special_move",
    "special_move_fast",
    "to_uniform",
    "vote",
    "match",
    "warp_reduce",
    "shuffle",
    "tensor_half",
    "tensor_integer",
    "tensor_double",
    "tensor_binary",
    "move_matrix",
    "load_global",
    "store_global",
    "load_shared",
    "store_shared",
    "load_local",
    "store_local",
    "load_generic",
    "store_generic",
    "load_constant",
    "load_matrix",
    "atomic_global",
    "atomic_shared",
    "reduction_global",
    "async_copy",
    "async_copy_commit",
    "cache_control",
    "texture",
    "surface_load",
    "surface_store",
    "surface_address",
    "memory_fence",
    "barrier",
    "barrier_result",
    "scoreboard_wait",
    "mbarrier",
    "branch",
    "branch_indirect",
    "call",
    "return",
    "exit",
    "control_stack",
    "convergence",
    "trap",
    "sleep",
    "no_operation",
    "special",
    "uniform_integer",
    "uniform_logic",
    "uniform_shift",
    "uniform_move",
    "uniform_multiply",
    "uniform_compare",
    "uniform_predicate",
    "uniform_load_constant",
    "uniform_vote",
    "uniform_float",
});
static_assert(class_names.size() == static_cast<std::size_t>(InstructionClass::count_));
constexpr NameIndex<class_names.size(), 256> class_index(class_names);

bool contains(std::span<const Modifier> modifiers, Modifier wanted) {
  return std::find(modifiers.begin(), modifiers.end(), wanted) != modifiers.end();
}

}  // namespace

std::string_view class_name(InstructionClass instruction_class) {
  return class_names[static_cast<std::size_t>(instruction_class)];
}

InstructionClass class_by_name(std::string_view name) {
  return static_cast<InstructionClass>(class_index.find(name));
}

InstructionClass class_of(const OpcodeInfo& info, std::span<const Modifier> modifiers,
                          std::uint32_t sm) {
  switch (info.instruction_class) {
    case InstructionClass::integer_multiply:
      // Before sm_70 the same unit computes the high half at the same rate.
      if (contains(modifiers, modifier::wide) || (sm >= 70 && contains(modifiers, modifier::hi))) {
        return InstructionClass::integer_multiply_wide;
      }
      break;
    case InstructionClass::fp16:
      if (contains(modifiers, modifier::mma)) return InstructionClass::fp16_mma;
      break;
    case InstructionClass::conversion:
      if (sm >= 75 && info.mnemonic.starts_with("I2I")) return InstructionClass::conversion_fast;
      for (const Modifier wide : {modifier::f64, modifier::s64, modifier::u64}) {
        if (contains(modifiers, wide)) return InstructionClass::conversion_double;
      }
      break;
    default:
      break;
  }
  return info.instruction_class;
}

}  // namespace forewarp::program
