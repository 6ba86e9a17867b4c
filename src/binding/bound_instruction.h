// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/gpu.h"
#include "program/kernel.h"
#include "program/roles.h"

namespace forewarp::binding {

/// One instruction for latency models: registers as dense slots, and cycles; no opcodes.
struct BoundInstruction {
  std::vector<std::uint16_t> reads;  ///< slots: registers in dense numbering
  std::vector<std::uint16_t> writes;
  double latency = 0;        ///< cycles from issue to the earliest issue of a reader
  double spacing = 1;        ///< cycles to the warp's next instruction if this one does not jump
  double spacing_taken = 1;  ///< the same if it jumps
  bool dual_with_next = false;
  bool is_exit = false;
  bool is_store = false;
  bool is_barrier = false;
  bool is_load = false;
  bool variable = false;  ///< completes through a barrier register or scoreboard
  std::uint8_t write_barrier = no_barrier, read_barrier = no_barrier, wait_mask = 0;
  double read_release = 0;               ///< cycles from issue to release of the read barrier
  double barrier_latency = 0;            ///< BAR: cycles added before the next instruction
  std::int8_t waits_on_scoreboard = -1;  ///< DEPBAR.LE SBk, n: k
  std::uint8_t scoreboard_left = 0;      ///< and n
};

/// A kernel's timing under one set of latency rules.
struct BoundTiming {
  std::vector<BoundInstruction> instructions;  ///< parallel to Kernel::instructions
  std::vector<RegisterRange> slots;            ///< dense slot -> register, for messages
  bool by_control_words = false;
  double replacement = 0;         ///< cycles of block replacement, added once per warp
  bool exit_takes_time = false;   ///< the final EXIT counts as an issue
  double store_spacing = 0;       ///< store to store; 0: no rule of its own
  std::vector<double> load_gaps;  ///< spacing after the first, second .. load in a row
  const LatencyRules* rules = nullptr;
};

}  // namespace forewarp::binding
