// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Operations in which the lanes of a warp see each other's registers.
#include <bit>

#include "execution/warp/unknown_names.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution::warp_operation {
namespace {

LaneMask unknown_source(const Warp& warp, const MicroOp& op, unsigned index,
                        std::uint32_t words = 1) {
  const Source& from = op.source[index];
  if (!warp.unknown.any || from.pool) return 0;
  LaneMask unknown = 0;
  for (std::uint32_t i = 0; i < words; ++i) unknown |= warp.unknown.cells[from.cell + i];
  return unknown;
}

Origin origin_of(const Warp& warp, const MicroOp& op, unsigned index) {
  return op.source[index].pool ? no_origin : warp.unknown.origins[op.source[index].cell];
}

void mark(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown, Origin origin) {
  if (!warp.unknown.any && unknown == 0) return;
  if (op.destination != cell::sink) warp.unknown.mark(op.destination, lanes, unknown, origin);
  if (op.predicate_out[0] != predicate::sink) {
    warp.unknown.mark_predicate(op.predicate_out[0], lanes, unknown, origin);
  }
}

}  // namespace

void vote(Warp& warp, const MicroOp& op, LaneMask lanes) {
  // A uniform vote writes all lanes but counts only the active ones.
  const LaneMask voters = op.has(flag::uniform) ? warp.active : lanes;
  const LaneMask ballot = predicate_source(warp, op, 0) & voters;
  bool holds = op.has(flag::any_lane) ? ballot != 0 : ballot == voters;
  if (op.second == 1) holds = ballot == 0 || ballot == voters;
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) d[i] = ballot;
  }
  write_predicate(warp, op, 0, lanes, holds ? all_lanes : 0);
  if (!warp.unknown.any) return;
  const std::uint8_t from = op.predicate_in[0];
  const bool lost = (warp.unknown.predicates[from] & voters) != 0;
  mark(warp, op, lanes, lost ? lanes : 0, warp.unknown.predicate_origins[from]);
}

void match(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* low = plain_source(warp, op.source[0]);
  const std::uint32_t* high = plain_source(warp, op.source[0], op.has(flag::bits64) ? 1 : 0);
  std::uint32_t result[lane_count] = {};
  bool all_same = true;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    for (unsigned k = 0; k < lane_count; ++k) {
      if (has_lane(lanes, k) && low[k] == low[i] && high[k] == high[i]) result[i] |= lane_bit(k);
    }
    all_same = all_same && result[i] == lanes;
  }
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    d[i] = op.has(flag::any_lane) ? result[i] : (all_same ? lanes : 0);
  }
  write_predicate(warp, op, 0, lanes, all_same ? all_lanes : 0);
  const bool lost = (unknown_source(warp, op, 0, op.has(flag::bits64) ? 2 : 1) & lanes) != 0;
  mark(warp, op, lanes, lost ? lanes : 0, lost ? origin_of(warp, op, 0) : no_origin);
}

void reduce(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask voters = op.has(flag::uniform) ? warp.active : lanes;
  const std::uint32_t* a = plain_source(warp, op.source[0]);
  const std::uint32_t bias = op.has(flag::is_signed) ? 0x80000000U : 0;
  std::uint32_t value = 0;
  bool first = true;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(voters, i)) continue;
    const std::uint32_t x = a[i];
    if (first) {
      value = x;
      first = false;
      continue;
    }
    switch (op.immediate) {
      case 0:
        value += x;
        break;
      case 1:
        value = (x ^ bias) < (value ^ bias) ? x : value;
        break;
      case 2:
        value = (x ^ bias) > (value ^ bias) ? x : value;
        break;
      case 3:
        value &= x;
        break;
      case 4:
        value |= x;
        break;
      default:
        value ^= x;
        break;
    }
  }
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) d[i] = value;
  }
  const bool lost = (unknown_source(warp, op, 0) & voters) != 0;
  mark(warp, op, lanes, lost ? lanes : 0, lost ? origin_of(warp, op, 0) : no_origin);
}

namespace {

/// The lane that `lane` reads from, and whether it lies in the segment: the rules of PTX's shfl.
struct Partner {
  unsigned lane;
  bool inside;
};

Partner partner_of(std::uint32_t mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
  const unsigned clamp = c & 31U, segment = c >> 8 & 31U;
  const unsigned offset = b & 31U;
  const unsigned last = (lane & segment) | (clamp & ~segment);
  const unsigned first = lane & segment;
  int from = 0;
  bool inside = false;
  switch (mode) {
    case 1:  // up
      from = static_cast<int>(lane) - static_cast<int>(offset);
      inside = from >= static_cast<int>(last);
      break;
    case 2:  // down
      from = static_cast<int>(lane + offset);
      inside = from <= static_cast<int>(last);
      break;
    case 3:  // butterfly
      from = static_cast<int>(lane ^ offset);
      inside = from <= static_cast<int>(last);
      break;
    default:  // index
      from = static_cast<int>(first | (offset & ~segment));
      inside = from <= static_cast<int>(last);
      break;
  }
  return {inside ? static_cast<unsigned>(from) & 31U : lane, inside};
}

}  // namespace

void shuffle(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source_values(warp, op, 0);
  const std::uint32_t* b = plain_source(warp, op.source[1]);
  const std::uint32_t* c = plain_source(warp, op.source[2]);
  std::uint32_t result[lane_count] = {};
  LaneNames names{};
  LaneMask inside = 0, unknown = 0;
  const LaneMask unknown_value = unknown_source(warp, op, 0);
  const LaneMask unknown_lane = unknown_source(warp, op, 1) | unknown_source(warp, op, 2);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Partner partner = partner_of(op.immediate, i, b[i], c[i]);
    result[i] = a[partner.lane];
    names[i] = name_of(warp, op.source[0], partner.lane);
    if (partner.inside) inside |= lane_bit(i);
    if (has_lane(unknown_value, partner.lane) || has_lane(unknown_lane, i)) unknown |= lane_bit(i);
  }
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) d[i] = has_lane(lanes, i) ? result[i] : d[i];
  write_predicate(warp, op, 0, lanes, inside);
  if (!warp.unknown.any) return;
  const Origin origin = unknown_value != 0 ? origin_of(warp, op, 0) : origin_of(warp, op, 1);
  if (op.destination != cell::sink) {
    warp.unknown.mark(op.destination, lanes, unknown, origin);
    if (names_results(warp, index_of(warp, op)))
      set_names(warp, op.destination, unknown & ~unknown_lane, names);
  }
  if (op.predicate_out[0] != predicate::sink) {
    warp.unknown.mark_predicate(op.predicate_out[0], lanes, unknown_lane & lanes, origin);
  }
}

}  // namespace forewarp::execution::warp_operation
