// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Special registers, and other queries of the machine.
#include "execution/state/clocks.h"
#include "execution/state/warp_handlers.h"
#include "execution/storage/address_space.h"
#include "execution/warp/warp_memory.h"
#include "program/operand.h"

namespace forewarp::execution {
namespace warp_operation {
namespace {

/// A register that tells a lane its place in the warp.
std::uint32_t lane_value(SpecialRegister which, unsigned lane) {
  const LaneMask own = lane_bit(lane), below = own - 1;
  switch (which) {
    case SpecialRegister::lane_id:
      return lane;
    case SpecialRegister::eq_mask:
      return own;
    case SpecialRegister::lt_mask:
      return below;
    case SpecialRegister::le_mask:
      return below | own;
    case SpecialRegister::gt_mask:
      return ~(below | own);
    default:
      return ~below;
  }
}

/// A clock shows simulated time; where none is kept, it advances with the block's instructions.
std::uint64_t time_on(const Warp& warp, SpecialRegister which) {
  const Block& block = *warp.block;
  const bool timer =
      which == SpecialRegister::global_timer_lo || which == SpecialRegister::global_timer_hi;
  if (!block.cycles) {
    return (block.executed + block.in_turn) * (timer ? nominal_ns : nominal_cycles);
  }
  return timer ? block.nanoseconds : *block.cycles;
}

/// SR_VIRTID holds the warp and the SM (always 0), in the layout that compiled code unpacks.
std::uint32_t virtual_id(const Warp& warp) {
  return warp.number << 8;
}

/// The values of a register that is kept by lane; null: it is not.
const std::uint32_t* row_of(const Warp& warp, SpecialRegister which) {
  switch (which) {
    case SpecialRegister::tid_x:
      return &warp.thread[0][0];
    case SpecialRegister::tid_y:
      return &warp.thread[1][0];
    case SpecialRegister::tid_z:
      return &warp.thread[2][0];
    default:
      return nullptr;
  }
}

bool differs_by_lane(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::lane_id:
    case SpecialRegister::eq_mask:
    case SpecialRegister::lt_mask:
    case SpecialRegister::le_mask:
    case SpecialRegister::gt_mask:
    case SpecialRegister::ge_mask:
      return true;
    default:
      return false;
  }
}

void set_all(std::uint32_t* d, LaneMask lanes, std::uint32_t value) {
  for (unsigned i = 0; i < lane_count; ++i) d[i] = has_lane(lanes, i) ? value : d[i];
}

/// A register that has one value in a warp.
std::uint32_t common_value(const Warp& warp, SpecialRegister which) {
  const Extent& block = warp.block->index;
  switch (which) {
    case SpecialRegister::ctaid_x:
      return block[0];
    case SpecialRegister::ctaid_y:
      return block[1];
    case SpecialRegister::ctaid_z:
      return block[2];
    case SpecialRegister::warp_id:
      return warp.number;
    case SpecialRegister::virtual_id:
      return virtual_id(warp);
    case SpecialRegister::clock_lo:
    case SpecialRegister::global_timer_lo:
      return static_cast<std::uint32_t>(time_on(warp, which));
    case SpecialRegister::clock_hi:
    case SpecialRegister::global_timer_hi:
      return static_cast<std::uint32_t>(time_on(warp, which) >> 32);
    case SpecialRegister::cga_cta_id:
      return warp.block->cluster_rank;
    case SpecialRegister::shared_size:
      return warp.block->shared_bytes;
    default:
      return 0;
  }
}

/// Words of the generic-address windows, selected by MicroOp::second, or the address of an
/// instruction, which counts from the kernel's start. High words are zero but for
/// the window of a cluster, as are all special registers not listed.
std::uint32_t window_value(const MicroOp& op) {
  if (op.second == 1) return static_cast<std::uint32_t>(address_space::shared_window);
  if (op.second == 3) return static_cast<std::uint32_t>(address_space::cluster_window >> 32);
  if (op.second == own_address_value) return static_cast<std::uint32_t>(op.offset);
  return op.second == 2 ? static_cast<std::uint32_t>(address_space::local_window) : 0;
}

}  // namespace

void special_register(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const auto which = static_cast<SpecialRegister>(op.immediate);
  std::uint32_t* d = destination(warp, op);
  if (which == SpecialRegister::other) {
    set_all(d, lanes, window_value(op));
  } else if (const std::uint32_t* row = row_of(warp, which)) {
    for (unsigned i = 0; i < lane_count; ++i) d[i] = has_lane(lanes, i) ? row[i] : d[i];
  } else if (differs_by_lane(which)) {
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(lanes, i)) d[i] = lane_value(which, i);
    }
  } else {
    set_all(d, lanes, common_value(warp, which));
  }
  if (op.bytes != 8) return;
  const auto upper =
      reads_time(which) ? static_cast<std::uint32_t>(time_on(warp, which) >> 32) : 0U;
  std::uint32_t* high = destination(warp, op, 1);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) high[i] = upper;
  }
}

void to_uniform(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source_values(warp, op, 0);
  const LaneMask takes = warp.active & (warp.predicates[op.guard] ^ op.guard_flip);
  unsigned first = 0;
  while (first + 1 < lane_count && !has_lane(takes, first)) ++first;
  std::uint32_t* d = destination(warp, op);
  const std::uint32_t value = a[first];
  LaneMask others = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(takes, i) && a[i] != value) others |= LaneMask{1} << i;
  }
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) d[i] = value;
  }
  write_predicate(warp, op, 0, takes, others);
}

void convergence_move(Warp& warp, const MicroOp& op, LaneMask lanes) {
  auto& own = warp.divergence.convergence[op.immediate % 16];
  const bool to_barrier = op.has(flag::carry_out);
  const std::uint32_t* from = plain_source(warp, op.source[0]);
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    if (to_barrier) {
      own[i] = from[i];
    } else {
      d[i] = own[i];
      if (op.has(flag::carry_in)) own[i] = 0;
    }
  }
}

void barrier_result(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const Block& block = *warp.block;
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) d[i] = block.reduced_count;
  }
  write_predicate(warp, op, 0, lanes, block.reduced ? all_lanes : 0);
}

void unsupported(Warp& warp, const MicroOp& op, LaneMask lanes) {
  warp.fault.kind = Fault::Kind::unsupported;
  warp.fault.lanes = lanes;
  warp.fault.instruction = index_of(warp, op);
}

}  // namespace warp_operation

const HandlerTable& warp_handlers() {
  using namespace warp_operation;
  static constexpr HandlerTable table{
#define LANE_OPERATION(name) nullptr,
#define WARP_OPERATION(name) &warp_operation::name,
#define FLOW_OPERATION(name) nullptr,
#include "execution/state/operation_table.inc"
#undef LANE_OPERATION
#undef WARP_OPERATION
#undef FLOW_OPERATION
  };
  return table;
}

Handler indexed_constant_handler() {
  return &warp_operation::indexed_constant;
}

}  // namespace forewarp::execution
