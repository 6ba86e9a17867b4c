// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::program {

inline constexpr std::uint16_t zero_register = 255;         ///< RZ: reads 0, writes nothing
inline constexpr std::uint16_t zero_uniform_register = 63;  ///< URZ
inline constexpr std::uint16_t true_predicate = 7;          ///< PT and UPT
inline constexpr std::uint16_t no_register = 0xffff;        ///< absent part of a memory operand

/// Kind of an operand. The text's prefixes and suffixes are flags of Operand.
enum class OperandKind : std::uint8_t {
  register_,          ///< R0..R254, RZ
  uniform_register,   ///< UR0..UR62, URZ
  predicate,          ///< P0..P6, PT
  uniform_predicate,  ///< UP0..UP6, UPT
  convergence,        ///< B0..B15
  scoreboard,         ///< SB0..SB5
  special_register,   ///< SR_TID.X, SR_CLOCKLO, SRZ: index is a SpecialRegister
  integer,            ///< hexadecimal immediate: value
  floating,           ///< decimal immediate, INF, QNAN: value holds the bits of the double
  constant,           ///< c[bank][base + value] : index is the bank
  memory,             ///< [base + uniform_base + value]
  target,             ///< branch target: value is the byte address in the kernel
  condition_code,     ///< CC, CC.NEU: value is the Modifier of the test, 0 for CC itself
  predicate_set,      ///< PR: all predicates, restricted by a mask operand
  scoreboard_set,     ///< {1,0}: value is the bit mask
  word,               ///< text only: texture dimension, channel letters, a relocated symbol
};

/// Suffix that selects a part of a register.
enum class Part : std::uint8_t { whole, h0, h1, h0_h0, h1_h1, b0, b1, b2, b3 };

/// One operand as printed in the listing, without its text.
struct Operand {
  OperandKind kind = OperandKind::word;
  Part part = Part::whole;
  bool negate : 1 = false;            ///< -x
  bool absolute : 1 = false;          ///< |x|
  bool invert : 1 = false;            ///< ~x, or !p
  bool reuse : 1 = false;             ///< .reuse: stays in the operand cache
  bool writes_cc : 1 = false;         ///< .CC: the instruction writes the condition code, too
  bool wide : 1 = false;              ///< [R2.64]: the base is a register pair
  bool unsigned_base : 1 = false;     ///< [R2.U32+UR4]: the base is zero-extended
  std::uint8_t scale = 1;             ///< [R7.X4]: index scale 1, 4, 8 or 16
  std::uint16_t index = no_register;  ///< register number, predicate number or bank
  std::uint16_t base = no_register;   ///< memory, constant: general base register
  std::uint16_t uniform_base = no_register;  ///< memory, constant: uniform base register
  std::uint16_t descriptor = no_register;    ///< memory: UR pair of a printed descriptor
  std::int64_t value = 0;                    ///< immediate, offset, target, mask or double bits
  std::uint32_t text_begin = 0;              ///< into Kernel::text
  std::uint16_t text_size = 0;

  [[nodiscard]] bool is_zero_register() const {
    return (kind == OperandKind::register_ && index == zero_register) ||
           (kind == OperandKind::uniform_register && index == zero_uniform_register);
  }
};

/// Special registers by meaning; their names differ slightly between generations.
enum class SpecialRegister : std::uint16_t {
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  lane_id,
  virtual_id,
  virtual_sm_id,
  warp_id,
  clock_lo,
  clock_hi,
  global_timer_lo,
  global_timer_hi,
  eq_mask,
  lt_mask,
  le_mask,
  gt_mask,
  ge_mask,
  shared_size,
  cga_cta_id,
  zero,
  other,
};

}  // namespace forewarp::program
