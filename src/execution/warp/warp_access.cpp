// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {

std::uint32_t common_buffer(Warp& warp, LaneMask lanes, const MemoryAccess& access) {
  Environment& environment = *warp.block->environment;
  std::uint32_t& hint = environment.buffer_hint[access.instruction];
  const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  hint = environment.memory->buffer_of(access.address[first], access.bytes, hint);
  if (hint == GlobalMemory::no_buffer) {
    hint = 0;
    return GlobalMemory::no_buffer;
  }
  const ExecutionBuffer& buffer = environment.memory->buffer(hint);
  const bool inside = environment.rows->inside(access.address.data(), lanes, buffer.address,
                                               buffer.bytes, access.bytes);
  return inside ? hint : GlobalMemory::no_buffer;
}

bool in_shared(const Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const Block& block = *warp.block;
  return block.shared_bytes >= op.bytes &&
         block.environment->rows->inside(access.address.data(), lanes, 0, block.shared_bytes,
                                         op.bytes);
}

bool on_one_page(const Warp& warp, LaneMask lanes, const MemoryAccess& access) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  return warp.block->environment->rows->alike(access.address.data(), lanes, access.address[first],
                                              ~(MemoryPage::bytes - 1));
}

std::uint32_t local_word(Warp& warp, const MicroOp& op, std::uint64_t address, unsigned lane,
                         Locator& locator) {
  const bool misaligned = address % op.bytes != 0;
  const std::uint64_t depth = address_space::stack_top - address;
  if (misaligned || address >= address_space::stack_top ||
      depth > address_space::most_local_bytes) {
    locator.note(misaligned ? AccessFinding::Kind::misaligned : AccessFinding::Kind::out_of_bounds,
                 MemorySpace::local, address, lane);
    return no_word;
  }
  const auto word = static_cast<std::uint32_t>((depth - 1) / 4);
  if (warp.local_unknown.size() <= word) {
    warp.local_unknown.resize(word + 1, 0);
    warp.local.resize(std::size_t{word + 1} * lane_count, 0);
  }
  return word;
}

std::uint32_t local_row_word(Warp& warp, const MicroOp& op, LaneMask lanes,
                             const MemoryAccess& access, Locator& locator) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  const std::uint64_t address = access.address[lane];
  if (op.bytes < 4 || !warp.block->environment->rows->alike(access.address.data(), lanes, address,
                                                            ~std::uint64_t{0})) {
    return no_word;
  }
  return local_word(warp, op, address, lane, locator);
}

void by_space(Warp& warp, const MicroOp& op, MemoryAccess& access, SpaceFunction global,
              SpaceFunction shared, SpaceFunction local) {
  LaneMask in_shared = 0, in_local = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t address = access.address[i];
    const MemorySpace space = space_of_generic(address);
    if (space == MemorySpace::shared) in_shared |= lane_bit(i);
    if (space == MemorySpace::local) in_local |= lane_bit(i);
    if (space != MemorySpace::global) access.address[i] = within_space(address);
  }
  const LaneMask lanes = access.lanes;
  in_shared &= lanes;
  in_local &= lanes;
  const LaneMask in_global = lanes & ~in_shared & ~in_local;
  if (in_global == lanes) access.space = MemorySpace::global;
  if (in_shared == lanes) access.space = MemorySpace::shared;
  if (in_local == lanes) access.space = MemorySpace::local;
  if (in_global != 0) global(warp, op, in_global, access);
  if (in_shared != 0) shared(warp, op, in_shared, access);
  if (in_local != 0) local(warp, op, in_local, access);
}

std::uint64_t within_space(std::uint64_t address) {
  using namespace address_space;
  const std::uint64_t in_cluster = address - cluster_window;
  return in_cluster < cluster_window_bytes ? in_cluster : address % window_bytes;
}

MemorySpace space_of_generic(std::uint64_t address) {
  using namespace address_space;
  if (address - shared_window < window_bytes) return MemorySpace::shared;
  if (address - cluster_window < cluster_window_bytes) return MemorySpace::shared;
  return address - local_window < window_bytes ? MemorySpace::local : MemorySpace::global;
}

}  // namespace forewarp::execution::warp_operation
