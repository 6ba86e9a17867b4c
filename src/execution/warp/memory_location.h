// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/warp/block.h"

namespace forewarp::execution {

/// The bytes of one lane's access, or why there are none.
struct Location {
  enum class State : std::uint8_t { found, unresolved, out_of_bounds, misaligned, no_memory };
  State state = State::out_of_bounds;
  std::uint8_t* data = nullptr;
  bool unknown = false;
};

/// Finds the bytes of accesses of one instruction, lane after lane; notes findings.
class Locator {
 public:
  Locator(Warp& warp, const MicroOp& op, std::uint32_t instruction);

  /// Global memory at a virtual address.
  [[nodiscard]] Location global(std::uint64_t address, unsigned lane);
  /// Shared memory at an offset from the start of the block's.
  [[nodiscard]] Location shared(std::uint64_t address, unsigned lane);

  void set_unknown(std::uint64_t address, MemorySpace space, bool value);
  void note(AccessFinding::Kind kind, MemorySpace space, std::uint64_t address, unsigned lane);

  [[nodiscard]] std::uint32_t buffer() const { return hint_; }

 private:
  Warp& warp_;
  Block& block_;
  GlobalMemory& memory_;
  std::uint32_t bytes_;
  std::uint32_t instruction_;
  std::uint32_t& hint_;
  MemoryPage* page_ = nullptr;
  std::uint64_t page_number_ = ~std::uint64_t{0};
};

/// Fills `access` with the addresses of the memory operand at source `base`. Says how far they
/// reach where they are near ones: shared, local, constant.
NearReach compute_addresses(const Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes,
                            MemoryAccess& access);

/// Lanes whose address is not known, of a memory operand.
[[nodiscard]] LaneMask unknown_address(const Warp& warp, const MicroOp& op, unsigned base,
                                       LaneMask lanes);

/// Gives lanes with an unknown address one anywhere in the buffer (or the shared memory) that it
/// would begin at if what is unknown were zero; false, with the warp's fault, where there is none.
bool draw_addresses(Warp& warp, const MicroOp& op, LaneMask unknown, MemoryAccess& access);

/// Lanes whose address is not known; sets the warp's fault.
bool address_fault(Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes);

/// Index of a micro-op in its program.
[[nodiscard]] inline std::uint32_t index_of(const Warp& warp, const MicroOp& op) {
  return static_cast<std::uint32_t>(&op - warp.block->environment->program->ops.data());
}

}  // namespace forewarp::execution
