// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "program/kernel.h"

namespace forewarp::analysis {

using BlockId = std::uint32_t;
inline constexpr BlockId no_block = 0xffffffff;

/// How control passes from one block to another.
enum class EdgeKind : std::uint8_t {
  fallthrough,  ///< the next instruction, also after a call or a guarded EXIT
  branch,       ///< BRA, JMP
  reconverge,   ///< SYNC or a `.S` suffix: to the target of the open SSY
  loop_break,   ///< BRK: to the target of the open PBK
  loop_next,    ///< CONT: to the target of the open PCNT
  indirect,     ///< BRX: to a target that the listing names, or to code that nothing else reaches
};

struct ControlEdge {
  BlockId from = no_block;
  BlockId to = no_block;
  EdgeKind kind = EdgeKind::fallthrough;
  bool conditional = false;  ///< the block has another successor or may exit
  bool when_taken = true;    ///< conditional: followed if the last instruction takes effect
};

/// Instructions that are entered only at the first and left only after the last.
struct BasicBlock {
  std::uint32_t first = 0;  ///< instruction index
  std::uint32_t end = 0;    ///< one past the last
  bool exits = false;       ///< its last instruction ends the thread, or may do so (guarded EXIT)
  bool returns = false;     ///< its last instruction returns from a subroutine, or may do so
  BlockId callee =
      no_block;  ///< entry of the in-function subroutine that its last instruction calls
  bool calls_unknown = false;  ///< it calls code outside this function
  std::uint32_t routine = 0;   ///< index into ControlFlow::routines()
};

/// The kernel itself (routine 0) or a subroutine inside its text section.
struct Routine {
  BlockId entry = no_block;
  std::uint32_t block_count = 0;
};

/// Blocks and edges of the code that is reachable from the entry. Alignment padding and the
/// self-branch in front of it belong to no block. Calls are no edges: a calling block continues at
/// the next instruction, and the callee is a routine of its own.
class ControlFlow {
 public:
  ControlFlow() = default;
  explicit ControlFlow(const Kernel& kernel);

  /// By address; block 0 is the kernel's entry. Empty for a kernel without instructions.
  [[nodiscard]] const std::vector<BasicBlock>& blocks() const { return blocks_; }
  [[nodiscard]] std::span<const ControlEdge> successors(BlockId block) const;
  /// Whether `block` ends in a branch or EXIT that some threads may not take.
  [[nodiscard]] bool is_conditional(BlockId block) const;
  /// Edges into `block`.
  [[nodiscard]] std::span<const ControlEdge> predecessors(BlockId block) const;
  /// no_block for padding and unreachable code.
  [[nodiscard]] BlockId block_of(std::uint32_t instruction) const {
    return instruction < block_of_.size() ? block_of_[instruction] : no_block;
  }
  [[nodiscard]] const std::vector<Routine>& routines() const { return routines_; }
  /// Every block once, routine by routine, each before its successors except along back edges.
  [[nodiscard]] const std::vector<BlockId>& order() const { return order_; }
  /// What could not be followed exactly, one sentence each (an indirect branch without targets ..).
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] std::uint32_t instruction_count() const { return instruction_count_; }

 private:
  friend class ControlFlowBuilder;
  std::vector<BasicBlock> blocks_;
  std::vector<ControlEdge> out_edges_, in_edges_;
  std::vector<std::uint32_t> out_begin_, in_begin_;
  std::vector<BlockId> block_of_;
  std::vector<Routine> routines_;
  std::vector<BlockId> order_;
  std::vector<std::string> notes_;
  std::uint32_t instruction_count_ = 0;
};

}  // namespace forewarp::analysis
