// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace forewarp::program {

/// What an instruction does, as far as it matters for timing and counting. data/isa maps each
/// class, by its class_name(), to a pipe, a latency and an issue interval per generation.
enum class InstructionClass : std::uint8_t {
  unknown,
  fp32,                   // FADD FMUL FFMA and their 32I forms
  fp32_select,            // FMNMX FSEL FCMP FSET
  fp32_compare,           // FSETP
  range_reduction,        // RRO
  fp16,                   // HADD2 HMUL2 HFMA2
  fp16_mma,               // HFMA2.MMA and siblings: another pipe than fp16
  fp16_select,            // HMNMX2 HSET2
  fp16_compare,           // HSETP2
  fp64,                   // DADD DMUL DFMA DMNMX DSET
  fp64_compare,           // DSETP
  integer,                // IADD IADD3 ISUB IABS IMNMX VIMNMX ISET ICMP ISAD
  integer_compare,        // ISETP
  shift_add,              // ISCADD LEA
  logic,                  // LOP LOP3 LOP32I
  shift,                  // SHL SHR SHF BFE BFI BMSK SGXT
  byte_permute,           // PRMT
  select,                 // SEL
  move,                   // MOV MOV32I P2R R2P
  predicate,              // PSETP PLOP3 CSETP PSET
  integer_multiply,       // IMAD IMUL IMADSP XMAD IDP
  integer_multiply_wide,  // IMAD.WIDE IMAD.HI
  video,                  // VADD VABSDIFF VMNMX ..
  bit_count,              // POPC FLO BREV
  conversion,             // F2I I2F F2F FRND, I2I before sm_75
  conversion_double,      // F2I I2F F2F FRND with a type of 64 bits on either side
  conversion_fast,        // I2FP F2FP, I2I from sm_75
  sfu,                    // MUFU
  division_check,         // FCHK
  special_move,           // S2R
  special_move_fast,      // CS2R
  to_uniform,             // R2UR S2UR
  vote,                   // VOTE
  match,                  // MATCH
  warp_reduce,            // REDUX
  shuffle,                // SHFL
  tensor_half,
  tensor_integer,
  tensor_double,
  tensor_binary,  // HMMA IMMA DMMA BMMA
  move_matrix,    // MOVM
  load_global,
  store_global,
  load_shared,
  store_shared,
  load_local,
  store_local,
  load_generic,
  store_generic,
  load_constant,
  load_matrix,
  atomic_global,
  atomic_shared,
  reduction_global,
  async_copy,
  async_copy_commit,
  cache_control,
  texture,
  surface_load,
  surface_store,
  surface_address,
  memory_fence,
  barrier,
  barrier_result,
  scoreboard_wait,
  mbarrier,
  branch,
  branch_indirect,
  call,
  return_,
  exit,
  control_stack,
  convergence,
  trap,
  sleep,
  no_operation,
  special,
  uniform_integer,
  uniform_logic,
  uniform_shift,
  uniform_move,
  uniform_multiply,
  uniform_compare,
  uniform_predicate,
  uniform_load_constant,
  uniform_vote,
  uniform_float,
  count_
};

[[nodiscard]] std::string_view class_name(InstructionClass instruction_class);
/// `unknown` if no class has that name.
[[nodiscard]] InstructionClass class_by_name(std::string_view name);

/// Layout of an opcode's destinations among its first operands.
enum class DestinationForm : std::uint8_t {
  none,                 ///< stores, branches, barriers
  one,                  ///< first operand (R or UR or B)
  predicates,           ///< ISETP P0, PT, ..: two predicates
  optional_predicates,  ///< LOP3 P0, R0, .. / IADD3 R0, P0, P1, ..: leading predicates are results
  predicate_then_register,  ///< SHFL PT, R0, ..; ATOMG PT, R0, ..
  texture,                  ///< TEX: two register groups by the channel mask
  predicate_mask,           ///< R2P PR, R0, mask
  barrier_result,           ///< B2R.RESULT R4 [, P0]
};

/// What an opcode computes, for models that count arithmetic.
enum class Arithmetic : std::uint8_t { none, addition, multiplication, fused, division };

/// One row of the opcode table, the only place that knows mnemonics.
struct OpcodeInfo {
  std::string_view mnemonic;  ///< base mnemonic, without modifiers
  InstructionClass instruction_class;
  DestinationForm destination;
  std::uint8_t wide_operands;  ///< default widths of 64-bit families; see program/roles.h
  Arithmetic arithmetic = Arithmetic::none;
  std::uint8_t packed = 1;  ///< results per lane
};

using Opcode = std::uint16_t;  ///< index into the opcode table
inline constexpr Opcode unknown_opcode = 0;

[[nodiscard]] const OpcodeInfo& opcode_info(Opcode opcode);
/// unknown_opcode if the table lacks the mnemonic. Constant time.
[[nodiscard]] Opcode find_opcode(std::string_view mnemonic);
[[nodiscard]] std::size_t opcode_count();

/// Modifiers are kept as numbers; one that is not in the table is `unknown` and only in the text.
using Modifier = std::uint16_t;
inline constexpr Modifier unknown_modifier = 0;
[[nodiscard]] Modifier find_modifier(std::string_view name);
[[nodiscard]] std::string_view modifier_name(Modifier modifier);

}  // namespace forewarp::program
