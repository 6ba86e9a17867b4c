// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution/state/divergence.h"
#include "execution/state/fault.h"
#include "execution/state/memory_access.h"
#include "execution/state/unknowns.h"
#include "program/async_event.h"

namespace forewarp::execution {

struct Block;

/// One warp of a running block: its registers, predicates, position and latest memory accesses.
struct Warp {
  std::uint32_t* cells = nullptr;       ///< cell::words words each
  const std::uint32_t* pool = nullptr;  ///< constants of the launch, cells too
  std::array<LaneMask, predicate::count> predicates{};
  LaneMask all = 0;          ///< lanes that exist
  LaneMask active = 0;       ///< lanes that run at present
  LaneMask alive = 0;        ///< lanes that have not ended
  std::uint32_t pc = 0;      ///< index of the next instruction
  std::uint32_t number = 0;  ///< in the block
  bool waits_at_barrier = false;
  std::uint32_t barrier = 0;  ///< the one it waits at
  Divergence divergence;
  Unknowns unknown;
  std::array<MemoryAccess, 2> access{};  ///< of the last instruction, if it accessed memory
  std::uint8_t access_count = 0;
  std::uint32_t registers = 0;      ///< of a lane, that it may use now; 0: not known
  std::uint32_t cluster_waits = 0;  ///< barriers of the cluster that it has passed
  /// Of the last instruction, if it copied in bulk or used a barrier in shared memory.
  std::vector<MemoryAccess> bulk;
  std::vector<AsyncEvent> events;
  Fault fault;
  Block* block = nullptr;
  std::vector<std::uint32_t> local;     ///< [word from the top of the stack][lane]
  std::vector<LaneMask> local_unknown;  ///< per word, empty while all is known
  std::array<std::array<std::uint32_t, lane_count>, 3> thread{};  ///< threadIdx

  [[nodiscard]] std::uint32_t* cell_at(std::uint32_t index) const {
    return cells + std::size_t{index} * cell::words;
  }
};

}  // namespace forewarp::execution
