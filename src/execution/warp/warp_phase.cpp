// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in words of shared memory (mbarrier), and queries of address spaces.
#include <cstring>

#include "execution/warp/warp_memory.h"

namespace forewarp::execution::warp_operation {
namespace {

/// Layout of an mbarrier's high word: bit 31 is the phase, the bits below hold minus the number of
/// missing arrivals. The low word holds the value at which the count starts. Follows the code that
/// each generation's compiler emits.
struct PhaseLayout {
  std::uint32_t arrival;  ///< what one arrival adds
  std::uint32_t count;    ///< bits of the count
  bool shifted;           ///< from sm_90 on
};

constexpr std::uint32_t phase_bit = 0x80000000U;

PhaseLayout layout_of(const Warp& warp) {
  constexpr std::uint32_t first_shifted = 90;
  if (warp.block->environment->program->kernel->sm >= first_shifted)
    return {1U << 11, 0x7ffff800U, true};
  return {1, 0x7fffffffU, false};
}

std::uint64_t after_arrival(const PhaseLayout& layout, std::uint64_t state) {
  const auto low = static_cast<std::uint32_t>(state);
  std::uint32_t high = static_cast<std::uint32_t>(state >> 32) + layout.arrival;
  if ((high & layout.count) == 0) {
    const std::uint32_t again = layout.shifted ? low << 10 : low + 0x40000000U;
    high = (high & phase_bit) | (again & layout.count);
  }
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

void arrive(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::atomic;
  warp.access_count = 1;
  const PhaseLayout layout = layout_of(warp);
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found || at.unknown) {
      unknown |= lane_bit(i);
      continue;
    }
    std::uint64_t state = 0;
    std::memcpy(&state, at.data, sizeof state);
    destination(warp, op)[i] = static_cast<std::uint32_t>(state);
    destination(warp, op, 1)[i] = static_cast<std::uint32_t>(state >> 32);
    state = after_arrival(layout, state);
    std::memcpy(at.data, &state, sizeof state);
  }
  mark_result(warp, op, lanes, unknown, 2);
}

/// Whether the phase named by bit 31 of the register has completed.
void check_phase(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
  const std::uint32_t* phase = plain_source(warp, op.source[1]);
  Locator locator(warp, op, access.instruction);
  LaneMask over = 0, unknown = 0;
  if (warp.unknown.any && !op.source[1].pool) unknown = warp.unknown.cells[op.source[1].cell];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found || at.unknown) {
      unknown |= lane_bit(i);
      continue;
    }
    std::uint32_t high = 0;
    std::memcpy(&high, at.data + 4, sizeof high);
    if (((high ^ phase[i]) & phase_bit) != 0) over |= lane_bit(i);
  }
  write_predicate(warp, op, 0, lanes, over);
  if (unknown != 0 || warp.unknown.any) {
    warp.unknown.mark_predicate(op.predicate_out[0], lanes, unknown & lanes, access.instruction);
  }
}

void query_space(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess asked;
  compute_addresses(warp, op, 0, lanes, asked);
  LaneMask inside = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const auto space = static_cast<std::uint32_t>(space_of_generic(asked.address[i]));
    if (space == op.second) inside |= lane_bit(i);
  }
  write_predicate(warp, op, 0, lanes, inside);
}

}  // namespace forewarp::execution::warp_operation
