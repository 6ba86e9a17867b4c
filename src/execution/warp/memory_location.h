// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/warp/block.h"

namespace forewarp::execution {

/// Where the bytes of one lane's access are, or why there are none.
struct Location {
  enum class State : std::uint8_t { found, unresolved, out_of_bounds, misaligned };
  State state = State::out_of_bounds;
  std::uint8_t* data = nullptr;
  bool unknown = false;
};

/// Finds the bytes that one instruction accesses, lane by lane, and notes findings.
class Locator {
 public:
  Locator(Warp& warp, const MicroOp& op, std::uint32_t instruction);

  /// The buffer of a virtual address of global memory, and only whether it was found.
  [[nodiscard]] Location::State global_place(std::uint64_t address, unsigned lane);
  /// Global memory at a virtual address, for a `use` as in buffer_use.
  [[nodiscard]] Location global(std::uint64_t address, unsigned lane, std::uint8_t use);
  /// Shared memory at an offset from the start of the block's shared memory.
  [[nodiscard]] Location shared(std::uint64_t address, unsigned lane);

  void set_unknown(std::uint64_t address, MemorySpace space, bool value);
  /// What global() finds of unknown bytes that nobody wrote is not kept: they stay unknown.
  void drop_unknown() { drops_ = true; }
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
  std::uint8_t page_use_ = 0;
  bool drops_ = false, dropped_ = false;  ///< dropped: at the last address
  std::array<std::uint8_t, 16> scratch_;
};

/// Fills `access` with the addresses of the memory operand at source `base`. Returns their reach
/// for the near spaces: shared, local and constant memory.
NearReach compute_addresses(const Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes,
                            MemoryAccess& access);

/// Lanes for which the address of a memory operand is unknown.
[[nodiscard]] LaneMask unknown_address(const Warp& warp, const MicroOp& op, unsigned base,
                                       LaneMask lanes);

/// Gives each lane with an unknown address a random one in the buffer (or shared memory) that the
/// address would point to if its unknown part were zero: lanes with equal unknown parts stay as far
/// apart as they are. Without such a buffer: false, with the warp's fault set.
bool draw_addresses(Warp& warp, const MicroOp& op, LaneMask unknown, MemoryAccess& access);

/// Whether a lane's address is unknown; if so, sets the warp's fault.
bool address_fault(Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes);

/// Index of a micro-op in its program.
[[nodiscard]] inline std::uint32_t index_of(const Warp& warp, const MicroOp& op) {
  return static_cast<std::uint32_t>(&op - warp.block->environment->program->ops.data());
}

}  // namespace forewarp::execution
