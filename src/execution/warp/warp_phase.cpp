// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in words of shared memory (mbarrier), and queries of address spaces.
#include <cstring>

#include "execution/warp/phase_barrier.h"
#include "execution/warp/phase_word.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution {
namespace {

constexpr std::uint32_t phase_bit = 0x80000000U;
constexpr std::uint32_t offset_mask =
    0x00ffffffU;  // of a shared address: the block's rank is above

bool counts_bytes(const Warp& warp) {
  constexpr std::uint32_t first = 90;
  return warp.block->environment->program->kernel->sm >= first;
}

void note(Warp& warp, AsyncEvent::Kind kind, std::uint32_t instruction, std::uint32_t barrier,
          std::uint32_t count, std::int64_t bytes) {
  for (AsyncEvent& event : warp.events) {
    if (event.kind != kind || event.barrier != barrier) continue;
    event.bytes += bytes;  // several lanes at one barrier
    event.count += kind == AsyncEvent::Kind::arrive ? count : 0;
    return;
  }
  warp.events.push_back({kind, instruction, barrier, count, bytes, !warp.events.empty()});
}

std::uint64_t word_at(const std::uint8_t* data) {
  std::uint64_t word = 0;
  std::memcpy(&word, data, sizeof word);
  return word;
}

bool is_over(std::uint64_t word, std::uint32_t asked) {
  return ((static_cast<std::uint32_t>(word >> 32) ^ asked) & phase_bit) != 0;
}

}  // namespace

void complete_bytes(const Warp& warp, Block& block, std::uint32_t barrier, std::int64_t bytes) {
  if (barrier > block.shared.size() || block.shared.size() - barrier < 8) return;
  PhaseWord word(word_at(block.shared.data() + barrier), true);
  PhaseCount& count = block.phase_count(barrier);
  if (word.apply(0, -bytes)) ++count.completed;
  count.bytes += static_cast<std::uint64_t>(bytes);
  if (warp.block == &block) count.own_bytes += static_cast<std::uint64_t>(bytes);
  const std::uint64_t now = word.word();
  std::memcpy(block.shared.data() + barrier, &now, sizeof now);
}

namespace {

/// Whether a block of the cluster has not come to the barrier that this warp waits at.
bool cluster_lacks_some(const Warp& warp) {
  const std::uint64_t round = warp.cluster_waits + std::uint64_t{1};
  for (const Block* peer : warp.block->peers) {
    if (peer->cluster_arrivals < round * peer->warps.size()) return true;
  }
  return false;
}

/// Registers of a lane that a warp still lacks of what it asks for.
std::int64_t lacking_registers(const Warp& warp, const MicroOp& op) {
  const bool gives = op.predicate_out[0] == predicate::sink;
  if (op.operation != Operation::grant || gives || warp.registers == 0) return 0;
  return std::int64_t{op.second} - warp.registers - warp.block->spare_registers();
}

}  // namespace

bool must_wait(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (lanes == 0) return false;
  if (op.operation == Operation::grant) return lacking_registers(warp, op) > 0;
  if (op.operation == Operation::cluster_wait) return cluster_lacks_some(warp);
  if (address_fault(warp, op, 0, lanes)) return true;
  MemoryAccess access;
  compute_addresses(warp, op, 0, lanes, access);
  const std::uint32_t* asked = plain_source(warp, op.source[1]);
  const Block& block = *warp.block;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint64_t at = access.address[i] & offset_mask;
    if (at > block.shared.size() || block.shared.size() - at < 8) continue;
    if (!is_over(word_at(block.shared.data() + at), asked[i])) return true;
  }
  return false;
}

namespace {

/// The instruction that a warp does not get past, and its lanes; null where it waits for none.
const MicroOp* stuck_at(Warp& warp, LaneMask& lanes) {
  const Program& program = *warp.block->environment->program;
  if (warp.alive == 0 || warp.waits_at_barrier || warp.pc >= program.ops.size()) return nullptr;
  const MicroOp& op = program.ops[warp.pc];
  lanes = warp.active & (warp.predicates[op.guard] ^ op.guard_flip);
  return op.kind == OperationKind::wait && must_wait(warp, op, lanes) ? &op : nullptr;
}

/// The first barrier that this warp waits for; nothing if it waits for none.
bool awaited(Warp& warp, std::uint32_t& barrier) {
  LaneMask lanes = 0;
  const MicroOp* stuck = stuck_at(warp, lanes);
  if (stuck == nullptr || stuck->operation != Operation::wait_phase) return false;
  const MicroOp& op = *stuck;
  MemoryAccess access;
  compute_addresses(warp, op, 0, lanes, access);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    barrier = static_cast<std::uint32_t>(access.address[i] & offset_mask);
    return true;
  }
  return false;
}

}  // namespace

BlockFault deadlock_of(Block& block) {
  BlockFault failed;
  failed.fault = {Fault::Kind::deadlock, 0, block.warps.front().pc, no_origin, {}};
  failed.expected = "as many arrivals and bytes as the barrier was told";
  for (Warp& warp : block.warps) {
    LaneMask lanes = 0;
    const MicroOp* stuck = stuck_at(warp, lanes);
    if (stuck == nullptr || stuck->operation != Operation::grant) continue;
    failed.warp = warp.number;
    failed.fault.instruction = warp.pc;
    failed.fault.detail = "asks for " + std::to_string(stuck->second) +
                          " registers a thread and has " + std::to_string(warp.registers) +
                          "; of those that warps of its block gave away " +
                          std::to_string(block.spare_registers()) + " are left; nobody else moves";
    failed.expected = "warps of its block that give as many away, or a launch with more";
    return failed;
  }
  bool misses_bytes = false;
  for (Warp& warp : block.warps) {
    std::uint32_t barrier = 0;
    if (!awaited(warp, barrier)) continue;
    const PhaseWord word(word_at(block.shared.data() + barrier), counts_bytes(warp));
    // Bytes that do not come say more than arrivals, which may only be late because of them.
    if (misses_bytes || (!failed.fault.detail.empty() && word.bytes() == 0)) continue;
    misses_bytes = word.bytes() != 0;
    failed.warp = warp.number;
    failed.fault.instruction = warp.pc;
    failed.fault.detail =
        "waits for phase " + std::to_string(block.phase_count(barrier).completed) +
        " of the barrier at byte " + std::to_string(barrier) + " of shared memory, which lacks " +
        std::to_string(word.missing()) + " of " + std::to_string(word.expected()) +
        " arrivals and " + std::to_string(word.bytes()) + " bytes; nobody else moves";
  }
  return failed;
}

namespace warp_operation {

/// Starts a barrier: the word that the code writes.
void init_phase(Warp& warp, const MicroOp& op, LaneMask lanes) {
  atomic(warp, op, lanes);
  if (warp.fault) return;
  const MemoryAccess& access = warp.access[0];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const auto at = static_cast<std::uint32_t>(access.address[i] & offset_mask);
    if (at > warp.block->shared.size() || warp.block->shared.size() - at < 8) continue;
    const PhaseWord word(word_at(warp.block->shared.data() + at), counts_bytes(warp));
    PhaseCount fresh;
    fresh.barrier = at;
    warp.block->phase_count(at) = fresh;
    note(warp, AsyncEvent::Kind::init, access.instruction, at, word.expected(), 0);
    if (op.has(flag::uniform)) return;  // once for the warp
  }
}

/// Which parts of an arrival come from the register: see lowering_async.cpp.
void arrive(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::atomic;
  warp.access_count = 1;
  const bool bytes_counted = counts_bytes(warp);
  const std::uint32_t* given = plain_source(warp, op.source[1]);
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    Block& holder = warp.block->holder(access.address[i]);
    const Location at = locator.shared(access.address[i], i);
    access.address[i] &= bytes_counted ? offset_mask : ~std::uint64_t{0};
    if (at.state != Location::State::found || at.unknown) {
      unknown |= lane_bit(i);
      continue;
    }
    PhaseWord word(word_at(at.data), bytes_counted);
    const std::uint32_t said = given[i];  // the register may be the destination, too
    destination(warp, op)[i] = static_cast<std::uint32_t>(word.word());
    destination(warp, op, 1)[i] = static_cast<std::uint32_t>(word.word() >> 32);
    const auto from = static_cast<ArrivalForm>(op.second);
    const std::uint32_t arrivals =
        from == ArrivalForm::count                                           ? said
        : from == ArrivalForm::bytes_only || from == ArrivalForm::less_bytes ? 0
                                                                             : 1;
    std::int64_t bytes = 0;
    if (from == ArrivalForm::bytes_too || from == ArrivalForm::bytes_only) bytes = said;
    if (from == ArrivalForm::less_bytes) bytes = -std::int64_t{said};
    const auto barrier = static_cast<std::uint32_t>(access.address[i]);
    const std::uint32_t dropped = op.has(flag::merge) ? arrivals : 0;
    PhaseCount& count = holder.phase_count(barrier);
    const bool own = &holder == warp.block;
    if (word.apply(arrivals, bytes, dropped)) ++count.completed;
    count.arrivals += arrivals;
    if (own) count.own_arrivals += arrivals;
    const std::uint64_t now = word.word();
    std::memcpy(at.data, &now, sizeof now);
    if (bytes_counted && own)
      note(warp, AsyncEvent::Kind::arrive, access.instruction, barrier, arrivals, bytes);
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
  const bool bytes_counted = counts_bytes(warp);
  Locator locator(warp, op, access.instruction);
  LaneMask over = 0, unknown = 0;
  if (warp.unknown.any && !op.source[1].pool) unknown = warp.unknown.cells[op.source[1].cell];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    access.address[i] &= bytes_counted ? offset_mask : ~std::uint64_t{0};
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found || at.unknown) {
      unknown |= lane_bit(i);
      continue;
    }
    if (is_over(word_at(at.data), phase[i])) over |= lane_bit(i);
  }
  write_predicate(warp, op, 0, lanes, over);
  if (unknown != 0 || warp.unknown.any) {
    warp.unknown.mark_predicate(op.predicate_out[0], lanes, unknown & lanes, access.instruction);
  }
}

/// The same, after all lanes' phases have been completed.
void wait_phase(Warp& warp, const MicroOp& op, LaneMask lanes) {
  check_phase(warp, op, lanes);
  if (warp.fault) return;
  const MemoryAccess& access = warp.access[0];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const auto barrier = static_cast<std::uint32_t>(access.address[i]);
    const std::uint32_t asked = plain_source(warp, op.source[1])[i] / phase_bit;
    // Phase n has parity n mod 2: the last completed one of the parity that was asked for.
    const std::uint32_t completed = warp.block->phase_count(barrier).completed;
    const std::uint32_t last =
        completed == 0 || (completed - 1) % 2 == asked ? completed : completed - 1;
    note(warp, AsyncEvent::Kind::wait, access.instruction, barrier, last, 0);
  }
}

/// The barrier of a cluster: UCGABAR_ARV and, once the others have come, UCGABAR_WAIT.
void cluster_arrive(Warp& warp, const MicroOp&, LaneMask) {
  ++warp.block->cluster_arrivals;
}
void cluster_wait(Warp& warp, const MicroOp&, LaneMask) {
  ++warp.cluster_waits;
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

}  // namespace warp_operation
}  // namespace forewarp::execution
