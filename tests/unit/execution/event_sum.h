// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/mixed.h"
#include "execution/grid/grid_runner.h"
#include "execution/state/warp_handlers.h"
#include "execution/warp/memory_location.h"

namespace forewarp::tests {

/// All events of a run in one number: what each warp executed, for which lanes, where it branched
/// and what it accessed, in its order. Equal whatever the order of warps and blocks.
struct EventSum : NoSink {
  std::uint64_t sum = 0;
  std::uint64_t events = 0;

  [[nodiscard]] EventSum empty() const { return {}; }
  void merge(const EventSum& other) {
    sum += other.sum;
    events += other.events;
  }
  void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask lanes) {
    add(warp, std::uint64_t{i} << 2, std::uint64_t{active} << 32 | lanes);
  }
  void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) {
    add(warp, std::uint64_t{i} << 2 | 1, std::uint64_t{active} << 32 | taken);
  }
  void happened(const Warp& warp, const AsyncEvent& event) {
    add(warp, std::uint64_t{event.instruction} << 2 | 3,
        static_cast<std::uint64_t>(event.kind) << 48 ^ std::uint64_t{event.barrier} << 20 ^
            static_cast<std::uint64_t>(event.bytes));
  }
  void accessed(const Warp& warp, const MemoryAccess& access) {
    std::uint64_t places = std::uint64_t{access.lanes} << 16 | std::uint64_t{access.bytes} << 8 |
                           static_cast<std::uint64_t>(access.kind) << 4 |
                           static_cast<std::uint64_t>(access.space);
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      if (has_lane(access.lanes, lane)) places = base::mixed(places ^ access.address[lane]) + lane;
    }
    add(warp, std::uint64_t{access.instruction} << 2 | 2, places);
  }

 private:
  void add(const Warp& warp, std::uint64_t what, std::uint64_t value) {
    const std::pair from{warp.block->linear, warp.number};
    const std::uint64_t turn = ++turns_[from];
    const std::uint64_t place = base::mixed(from.first << 32 ^ from.second << 24 ^ what);
    sum += base::mixed(base::mixed(place ^ value) ^ turn);
    ++events;
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> turns_;
};

namespace left_out {

/// Writes what no kernel expects wherever the operation could write.
inline void spoil(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const Program& program = *warp.block->environment->program;
  const std::uint32_t index = index_of(warp, op);
  for (const std::uint32_t at : program.writes(index)) {
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      if (has_lane(lanes, lane)) warp.cell_at(at)[lane] = 0xbad00000U + 77 * lane + index;
    }
  }
  for (const std::uint8_t at : program.predicate_writes(index)) warp.predicates[at] ^= lanes;
}

inline void spoil_behind(Warp& warp, const MicroOp& op, LaneMask lanes) {
  place_handler(op)(warp, op, lanes);
  spoil(warp, op, lanes);
}

}  // namespace left_out

/// What leave_out_values() leaves out is wrong, not merely old.
inline void spoil_left_out(Program& program) {
  for (MicroOp& op : program.ops) {
    const bool computes = op.kind == OperationKind::lane || op.kind == OperationKind::warp;
    if (computes && op.handler == nullptr) {
      op.handler = left_out::spoil;
    } else if (computes && op.handler == place_handler(op)) {
      op.handler = left_out::spoil_behind;
    }
  }
}

}  // namespace forewarp::tests
