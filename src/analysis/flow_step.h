// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/kernel.h"

namespace forewarp::analysis {

/// What an instruction does to control flow.
enum class FlowAction : std::uint8_t {
  none,
  jump,           ///< BRA, JMP: to the target operand
  jump_indirect,  ///< BRX, JMX
  call,           ///< CAL, CALL: to the target operand, then returns
  call_unknown,   ///< a call through a register or to another function
  give_back,      ///< RET
  leave,          ///< EXIT, KILL: the thread ends
  push_sync,
  push_break,
  push_next,
  push_return,  ///< SSY, PBK, PCNT, PRET
  pop_sync,
  pop_break,
  pop_next,  ///< SYNC or .S, BRK, CONT
};

struct FlowStep {
  FlowAction action = FlowAction::none;
  bool conditional = false;          ///< guarded, or with a condition operand (BRA CC.NEU, BRA.DIV)
  std::uint32_t target = no_target;  ///< instruction index of the target operand
  static constexpr std::uint32_t no_target = 0xffffffff;

  [[nodiscard]] bool ends_block() const {
    return action != FlowAction::none &&
           !(action >= FlowAction::push_sync && action <= FlowAction::push_return);
  }
};

/// Targets outside the kernel's instructions are no_target.
[[nodiscard]] FlowStep flow_step(const Kernel& kernel, const Instruction& instruction);

}  // namespace forewarp::analysis
