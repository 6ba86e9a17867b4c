// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/state/operands.h"
#include "execution/warp/memory_location.h"

namespace forewarp::execution::warp_operation {

void load(Warp& warp, const MicroOp& op, LaneMask lanes);
void store(Warp& warp, const MicroOp& op, LaneMask lanes);
void load_constant(Warp& warp, const MicroOp& op, LaneMask lanes);
void indexed_constant(Warp& warp, const MicroOp& op, LaneMask lanes);
void load_matrix(Warp& warp, const MicroOp& op, LaneMask lanes);
void copy_to_shared(Warp& warp, const MicroOp& op, LaneMask lanes);
void texture(Warp& warp, const MicroOp& op, LaneMask lanes);
void surface(Warp& warp, const MicroOp& op, LaneMask lanes);
/// Loads and stores at global addresses that are known, of the lanes' registers of data.
void load_at(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access);
void store_at(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access);
void atomic(Warp& warp, const MicroOp& op, LaneMask lanes);
void query_space(Warp& warp, const MicroOp& op, LaneMask lanes);
void arrive(Warp& warp, const MicroOp& op, LaneMask lanes);
void check_phase(Warp& warp, const MicroOp& op, LaneMask lanes);
void wait_phase(Warp& warp, const MicroOp& op, LaneMask lanes);
void init_phase(Warp& warp, const MicroOp& op, LaneMask lanes);
void bulk_copy(Warp& warp, const MicroOp& op, LaneMask lanes);
void tensor_copy(Warp& warp, const MicroOp& op, LaneMask lanes);
void cluster_arrive(Warp& warp, const MicroOp& op, LaneMask lanes);
void cluster_wait(Warp& warp, const MicroOp& op, LaneMask lanes);
void elect(Warp& warp, const MicroOp& op, LaneMask lanes);
void grant(Warp& warp, const MicroOp& op, LaneMask lanes);
void store_matrix(Warp& warp, const MicroOp& op, LaneMask lanes);
void matrix_product(Warp& warp, const MicroOp& op, LaneMask lanes);
void matrix_transpose(Warp& warp, const MicroOp& op, LaneMask lanes);
void group_product(Warp& warp, const MicroOp& op, LaneMask lanes);

void special_register(Warp& warp, const MicroOp& op, LaneMask lanes);
void to_uniform(Warp& warp, const MicroOp& op, LaneMask lanes);
void vote(Warp& warp, const MicroOp& op, LaneMask lanes);
void match(Warp& warp, const MicroOp& op, LaneMask lanes);
void reduce(Warp& warp, const MicroOp& op, LaneMask lanes);
void shuffle(Warp& warp, const MicroOp& op, LaneMask lanes);
void convergence_move(Warp& warp, const MicroOp& op, LaneMask lanes);
void barrier_result(Warp& warp, const MicroOp& op, LaneMask lanes);
void outside_call(Warp& warp, const MicroOp& op, LaneMask lanes);
/// Whether the register that a call takes its target from has the address of a driver's function.
[[nodiscard]] bool calls_outside(const Warp& warp, const MicroOp& op, LaneMask lanes);
void unsupported(Warp& warp, const MicroOp& op, LaneMask lanes);

/// Marks which lanes of a load's result are unknown; `words` cells, starting at the destination.
inline void mark_result(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                        std::uint32_t words, Origin origin) {
  if (op.destination == cell::sink || (unknown == 0 && !warp.unknown.any)) return;
  for (std::uint32_t i = 0; i < words; ++i)
    warp.unknown.mark(op.destination + i, lanes, unknown, origin);
}
inline void mark_result(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                        std::uint32_t words) {
  mark_result(warp, op, lanes, unknown, words, index_of(warp, op));
}

/// The memory space of a generic address: shared, local or global.
[[nodiscard]] MemorySpace space_of_generic(std::uint64_t address);
/// A generic address of shared or local memory as their own instructions have it.
[[nodiscard]] std::uint64_t within_space(std::uint64_t address);

}  // namespace forewarp::execution::warp_operation
