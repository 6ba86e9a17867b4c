// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execution/state/micro_op.h"
#include "program/kernel.h"

namespace forewarp::execution {

/// The source of one cell of the launch's constants: an immediate, or a word of a constant bank.
struct PoolCell {
  static constexpr std::uint16_t immediate = 0xffff;
  std::uint16_t bank = immediate;
  std::uint32_t value = 0;  ///< the immediate, or the byte offset in the bank
  bool operator==(const PoolCell&) const = default;
};

/// What one instruction reads and writes, to follow unknown values. A cell of the pool has
/// `pool_bit` set.
struct DataFlow {
  static constexpr std::uint32_t pool_bit = 0x80000000U;
  std::uint32_t first_read = 0, first_write = 0;                      ///< into Program::flow_cells
  std::uint32_t first_predicate_read = 0, first_predicate_write = 0;  ///< into flow_predicates
  std::uint8_t reads = 0, writes = 0, predicate_reads = 0, predicate_writes = 0;
};

/// A loop whose trip count depends on what other blocks do at the same time, or on a clock: a queue
/// that blocks take work from, a poll of another block's flag, a wait for some cycles. Alone, a
/// block then does a different share of the work than beside others.
struct MovingWork {
  enum class Source : std::uint8_t { read_modify_write, poll, clock };
  Source source = Source::read_modify_write;
  std::uint32_t value = 0;     ///< instruction that reads the value
  std::uint32_t decision = 0;  ///< instruction that leaves or repeats the loop because of it
};

/// A kernel as the executor runs it: one micro-op per instruction, at the same index. Refers to the
/// kernel, which must outlive it; independent of the launch.
struct Program {
  const Kernel* kernel = nullptr;
  std::vector<MicroOp> ops;
  std::vector<DataFlow> flows;  ///< one per op
  std::vector<std::uint32_t> flow_cells;
  std::vector<std::uint8_t> flow_predicates;
  std::vector<PoolCell> pool;
  std::uint32_t uniform_cell = 0;    ///< cell of UR0
  std::uint32_t cell_count = 0;      ///< per warp
  bool control_stack = false;        ///< SSY, SYNC .. (before sm_70)
  bool global_atomics = false;       ///< results depend on the order of blocks
  std::optional<MovingWork> moving;  ///< set where all blocks must run concurrently
  /// Addresses of the first instructions of loops that end when another block has written
  /// something.
  std::vector<std::uint32_t> waiting_loops;
  bool ordered = false;                    ///< what blocks write, or time, steers blocks
  std::vector<std::uint32_t> unsupported;  ///< instructions that would stop a warp
  /// Conditions of compiler idioms with a known usual outcome, see idioms.h. By instruction index:
  /// 0 none, 1 usually not taken, 2 usually taken.
  std::vector<std::uint8_t> usual;
  /// By instruction index, whether what it writes may become part of an address.
  std::vector<std::uint8_t> in_addresses;

  [[nodiscard]] std::span<const std::uint32_t> reads(std::uint32_t index) const {
    return std::span(flow_cells).subspan(flows[index].first_read, flows[index].reads);
  }
  [[nodiscard]] std::span<const std::uint32_t> writes(std::uint32_t index) const {
    return std::span(flow_cells).subspan(flows[index].first_write, flows[index].writes);
  }
  [[nodiscard]] std::span<const std::uint8_t> predicate_reads(std::uint32_t index) const {
    return std::span(flow_predicates)
        .subspan(flows[index].first_predicate_read, flows[index].predicate_reads);
  }
  [[nodiscard]] std::span<const std::uint8_t> predicate_writes(std::uint32_t index) const {
    return std::span(flow_predicates)
        .subspan(flows[index].first_predicate_write, flows[index].predicate_writes);
  }
};

}  // namespace forewarp::execution
