// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "program/opcode.h"
#include "program/operand.h"

namespace forewarp::program {

/// What a control field can name: dependence barriers 0..5, or none.
inline constexpr std::uint8_t dependence_barriers = 6;
inline constexpr std::uint8_t no_barrier = 7;
/// One bit for each dependence barrier: how wide a wait mask is.
inline constexpr std::uint8_t every_barrier = (1U << dependence_barriers) - 1U;

/// The compiler's schedule for one instruction, decoded from the control word.
/// sm_35: only stall (already n+1) and dual; sm_50 and later: all fields.
struct Control {
  bool known = false;  ///< the listing had the control word
  std::uint8_t stall =
      0;               ///< cycles until the warp's next instruction may issue; 0 = with it (5x/6x)
  bool yield = false;  ///< the warp is asked to give way (the bit is 0)
  std::uint8_t write_barrier = no_barrier;  ///< 0..5, released when the destination is written
  std::uint8_t read_barrier = no_barrier;   ///< 0..5, released when the sources are read
  std::uint8_t wait_mask = 0;               ///< bit k: not before barrier k is zero
  std::uint8_t reuse = 0;                   ///< bit s: source slot s stays in the operand cache
  std::uint8_t raw = 0;                     ///< sm_35: the 8-bit field as it is
};

/// One line of machine code. Operands live in Kernel::operands.
struct Instruction {
  std::uint32_t address = 0;  ///< byte offset in the kernel
  Opcode opcode = unknown_opcode;
  InstructionClass instruction_class = InstructionClass::unknown;  ///< refined by modifiers
  std::uint8_t guard = true_predicate;                             ///< @P0: predicate number
  bool guard_negated = false;                                      ///< @!P0
  bool guard_uniform = false;                                      ///< @UP0
  bool dual_with_next = false;    ///< issues in the same cycle as the next one
  bool pops_convergence = false;  ///< sm_35 `.S` suffix
  bool decoded = true;            ///< false: the disassembler printed bare words only
  std::uint8_t operand_count = 0;
  std::uint8_t modifier_count = 0;
  std::uint32_t first_operand = 0;
  std::array<Modifier, 8> modifiers{};
  Control control;
  std::uint64_t word_low = 0;  ///< encoding, 0 when the listing has none
  std::uint64_t word_high = 0;
  std::uint32_t text_begin = 0;  ///< guard, opcode and operands as printed: into Kernel::text
  std::uint16_t text_size = 0;
  std::uint16_t mnemonic_size = 0;  ///< length of the opcode with its modifiers
  std::uint32_t source_line = 0;    ///< of the program, when the listing says it; 0 otherwise
  std::uint16_t source_file = 0;    ///< of source_line: index into Kernel::source_files
  std::uint32_t listing_line = 0;   ///< line in the listing

  [[nodiscard]] bool guarded() const { return guard != true_predicate || guard_negated; }
  /// @!PT: never executes.
  [[nodiscard]] bool dead() const { return guard == true_predicate && guard_negated; }
  [[nodiscard]] bool has(Modifier modifier) const {
    for (std::uint8_t i = 0; i < modifier_count; ++i) {
      if (modifiers[i] == modifier) return true;
    }
    return false;
  }
};

}  // namespace forewarp::program
