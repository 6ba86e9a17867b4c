// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/lane_blocks.h"

#include <algorithm>

#include "execution/grid/control_slice.h"
#include "execution/state/operands.h"
#include "program/operand.h"

namespace forewarp::execution {
namespace {

constexpr std::uint32_t axes = 3;

std::optional<std::uint32_t> axis_of_block_index(const MicroOp& op) {
  if (op.operation != Operation::special_register) return {};
  switch (static_cast<SpecialRegister>(op.immediate)) {
    case SpecialRegister::ctaid_x:
      return 0;
    case SpecialRegister::ctaid_y:
      return 1;
    case SpecialRegister::ctaid_z:
      return 2;
    default:
      return {};
  }
}

bool same_in_all_lanes(const MicroOp& op) {
  const auto which = static_cast<SpecialRegister>(op.immediate);
  return which == SpecialRegister::other || which == SpecialRegister::shared_size;
}

/// Waits for other threads, or goes round them: these do the same, so that none is waited for.
bool meets_threads(const MicroOp& op) {
  return op.operation == Operation::barrier || op.operation == Operation::converge_lanes ||
         op.operation == Operation::branch_divergent;
}

/// What such an operation does where all threads are together.
MicroOp where_all_meet(const MicroOp& op) {
  const bool jumps = op.operation == Operation::branch_divergent && op.has(flag::position);
  if (!jumps) return skipped_op();
  MicroOp jump = op;
  jump.operation = Operation::branch;
  jump.flags = 0;
  return jump;
}

/// Whether its result in a lane follows from that lane alone, and not from its place in the block.
bool stays_in_lane(const MicroOp& op) {
  switch (op.operation) {
    case Operation::special_register:
      return same_in_all_lanes(op) || (axis_of_block_index(op) && op.bytes <= 4);
    case Operation::load:  // the uniform part of an address is read once for all lanes
      return op.space == MemorySpace::global && op.uniform_cell == cell::zero;
    case Operation::load_constant:
      return op.uniform_cell == cell::zero;
    case Operation::to_uniform:
    case Operation::convergence_move:
      return true;
    default:
      return op.kind == OperationKind::lane ||
             (op.kind == OperationKind::flow && !meets_threads(op));
  }
}

void copy_own(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* from = source_values(warp, op, 0);
  std::uint32_t* to = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) to[i] = has_lane(lanes, i) ? from[i] : to[i];
}

/// No lane has a value that differs from the one taken.
void copy_to_uniform(Warp& warp, const MicroOp& op, LaneMask lanes) {
  copy_own(warp, op, lanes);
  write_predicate(warp, op, 0, lanes, 0);
}

}  // namespace

void LaneBlocks::start(Block& warp, Environment& environment,
                       std::span<const std::uint64_t> blocks) const {
  warp.start(environment, blocks.front());
  warp.warps.resize(1);
  Warp& lanes = warp.warps.front();
  const Extent& grid = environment.image->input().grid;
  lanes.all = 0;
  for (unsigned lane = 0; lane < blocks.size(); ++lane) {
    lanes.all |= lane_bit(lane);
    const Extent index = block_index(blocks[lane], grid);
    for (std::uint32_t axis = 0; axis < axes; ++axis)
      lanes.cell_at(index_cells + axis)[lane] = index[axis];
  }
  lanes.active = lanes.alive = lanes.all;
}

std::optional<LaneBlocks> lane_blocks(const Program& slice) {
  LaneBlocks made{slice, slice.cell_count};
  made.program.cell_count += axes;
  for (MicroOp& op : made.program.ops) {
    if (meets_threads(op) && !op.has(flag::pops)) op = where_all_meet(op);
    if (!stays_in_lane(op) || op.indexed_constant) return {};
    op.flags &= ~(flag::uniform | flag::any_lane);
    if (const auto axis = axis_of_block_index(op)) {
      op.source[0] = {made.index_cells + *axis};
      op.handler = copy_own;
    }
    if (op.operation == Operation::to_uniform) op.handler = copy_to_uniform;
  }
  return made;
}

}  // namespace forewarp::execution
