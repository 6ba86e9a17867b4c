// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "execution/state/memory_access.h"
#include "execution/storage/address_space.h"
#include "execution/warp/warp_memory.h"

// Shared by loads and stores.
namespace forewarp::execution::warp_operation {

/// The register value of a narrow element: signed types are sign-extended.
[[nodiscard]] inline std::uint32_t extended(const MicroOp& op, std::uint32_t value) {
  switch (op.type) {
    case ValueType::s8:
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case ValueType::s16:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    default:
      return value;
  }
}

/// The buffer that contains the accesses of all lanes, aligned; no_buffer if there is none.
[[nodiscard]] std::uint32_t common_buffer(Warp& warp, LaneMask lanes, const MemoryAccess& access);

/// Whether all lanes access the block's shared memory and are aligned.
[[nodiscard]] bool in_shared(const Warp& warp, const MicroOp& op, LaneMask lanes,
                             const MemoryAccess& access);
[[nodiscard]] bool on_one_page(const Warp& warp, LaneMask lanes, const MemoryAccess& access);

/// Runs f(lane, page, offset) for lanes whose accesses lie in buffers, for a `use` as in
/// buffer_use.
template <class F>
void for_each_page(Warp& warp, LaneMask lanes, const MemoryAccess& access, std::uint8_t use, F f) {
  GlobalMemory& memory = *warp.block->environment->memory;
  std::uint64_t number = ~std::uint64_t{0};
  MemoryPage* page = nullptr;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint64_t address = access.address[i];
    if (address / MemoryPage::bytes != number) {
      number = address / MemoryPage::bytes;
      page = memory.page(address, use);
    }
    f(i, *page, static_cast<std::uint32_t>(address % MemoryPage::bytes));
  }
}

/// First word (counted from the top of the stack) of a local access; no_word if it lies outside.
inline constexpr std::uint32_t no_word = 0xffffffffU;
[[nodiscard]] std::uint32_t local_word(Warp& warp, const MicroOp& op, std::uint64_t address,
                                       unsigned lane, Locator& locator);

/// The same if all lanes access one address of their own stacks, as for spilled registers: the row
/// of all lanes' words. no_word also if addresses differ or parts of words are accessed.
[[nodiscard]] std::uint32_t local_row_word(Warp& warp, const MicroOp& op, LaneMask lanes,
                                           const MemoryAccess& access, Locator& locator);

/// What an asynchronous copy does beside moving words from warp.access[0] to warp.access[1].
struct CopyPlaces {
  LaneMask reads = 0;  ///< if the trailing predicate is false, zeros are stored and nothing is read
  /// .ZFILL (`merge`): as many bytes at the end are zero as the source's address is beyond its
  /// place.
  std::array<std::uint32_t, lane_count> zeros{};
};
[[nodiscard]] CopyPlaces copy_places(Warp& warp, const MicroOp& op, LaneMask lanes);

/// Lanes that give the addresses of the rows of matrices.
[[nodiscard]] inline LaneMask row_lanes(const MicroOp& op) {
  return op.second >= 4 ? all_lanes : lane_bit(8 * op.second) - 1;
}

using SpaceFunction = void (*)(Warp&, const MicroOp&, LaneMask, const MemoryAccess&);

/// Splits the lanes of a generic access by the memory space of their addresses.
void by_space(Warp& warp, const MicroOp& op, MemoryAccess& access, SpaceFunction global,
              SpaceFunction shared, SpaceFunction local);

}  // namespace forewarp::execution::warp_operation
