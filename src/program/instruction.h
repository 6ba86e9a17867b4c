// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "program/opcode.h"
#include "program/operand.h"

namespace forewarp::program {

/// Values of a barrier field: dependence barriers 0..5, or none.
inline constexpr std::uint8_t dependence_barriers = 6;
inline constexpr std::uint8_t no_barrier = 7;
/// All bits of a wait mask, one per dependence barrier.
inline constexpr std::uint8_t every_barrier = (1U << dependence_barriers) - 1U;

/// The compiler's schedule for one instruction, decoded from the control word. sm_35 has only stall
/// (already n+1) and dual issue, sm_50 and later all fields.
struct Control {
  bool known = false;  ///< the listing had the control word
  std::uint8_t stall =
      0;               ///< cycles until the warp's next instruction may issue; 0 = with it (5x/6x)
  bool yield = false;  ///< the warp is asked to yield (the encoded bit is 0)
  std::uint8_t write_barrier = no_barrier;  ///< 0..5, released once the destination is written
  std::uint8_t read_barrier = no_barrier;   ///< 0..5, released once the sources are read
  std::uint8_t wait_mask = 0;               ///< bit k: wait until barrier k is released
  std::uint8_t reuse = 0;                   ///< bit s: source slot s stays in the operand cache
  std::uint8_t raw = 0;                     ///< sm_35: the undecoded 8-bit field
};

/// One machine instruction. Its operands are in Kernel::operands.
struct Instruction {
  std::uint32_t address = 0;  ///< byte offset in the kernel
  Opcode opcode = unknown_opcode;
  InstructionClass instruction_class = InstructionClass::unknown;  ///< refined by modifiers
  std::uint8_t guard = true_predicate;                             ///< @P0: predicate number
  bool guard_negated = false;                                      ///< @!P0
  bool guard_uniform = false;                                      ///< @UP0
  bool dual_with_next = false;    ///< issues in the same cycle as the next one
  bool pops_convergence = false;  ///< sm_35 `.S` suffix
  bool decoded = true;            ///< false: the disassembler printed only bare words
  std::uint8_t operand_count = 0;
  std::uint8_t modifier_count = 0;
  std::uint32_t first_operand = 0;
  std::array<Modifier, 8> modifiers{};
  Control control;
  std::uint64_t word_low = 0;  ///< encoding; 0 if the listing has none
  std::uint64_t word_high = 0;
  std::uint32_t text_begin = 0;  ///< guard, opcode and operands as printed: into Kernel::text
  std::uint16_t text_size = 0;
  std::uint16_t mnemonic_size = 0;  ///< length of the opcode with its modifiers
  std::uint32_t source_line = 0;    ///< line of the source, if the listing names it; else 0
  std::uint16_t source_file = 0;    ///< file of source_line: index into Kernel::source_files
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
