// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/unknown_names.h"

#include <algorithm>
#include <bit>

#include "base/mixed.h"
#include "execution/state/operands.h"

namespace forewarp::execution {
namespace {

constexpr std::uint32_t most_shift = (1U << UnknownName::shift_bits) - 1;

/// How an operation uses a source. `scaled`: a term, shifted by the operation's count.
enum class Part : std::uint8_t { none, term, scaled, factor, count, other };

std::array<Part, 3> parts_of(const MicroOp& op) {
  switch (op.operation) {
    case Operation::move:
      return {Part::term, Part::none, Part::none};
    case Operation::add:
    case Operation::add_carry:
      return {Part::term, Part::term, Part::term};
    case Operation::multiply_add:
    case Operation::multiply_add_high:
    case Operation::multiply_add_wide:
    case Operation::multiply_add_carry:
    case Operation::half_multiply_add:
      return {Part::factor, Part::factor, Part::term};
    case Operation::shift_add:
      return {Part::scaled, Part::term, Part::none};
    case Operation::shift_add_high:
      return {Part::other, Part::term, Part::other};
    case Operation::shift_left:
      return {Part::factor, Part::count, Part::none};
    case Operation::funnel_shift:
      if (op.has(flag::left) && !op.has(flag::high))
        return {Part::factor, Part::count, Part::other};
      break;
    default:
      break;
  }
  return {Part::other, Part::other, Part::other};
}

/// What the sources of one lane give: names of the unknown ones and what the known ones add.
struct Sum {
  std::uint32_t unknown = 0, count = 0;
  std::uint64_t known = 0;
  std::uint32_t shift = most_shift;  ///< of the unknown terms, the least
  std::uint32_t raised = 0;          ///< by known factors
};

bool is_unknown(const Warp& warp, const Source& from, unsigned lane) {
  return !from.pool && has_lane(warp.unknown.cells[from.cell], lane);
}

/// False: an unknown source has no name.
bool add_source(const Warp& warp, const MicroOp& op, unsigned s, Part part, unsigned lane,
                Sum& sum) {
  const Source& from = op.source[s];
  if (!is_unknown(warp, from, lane)) {
    if (part == Part::term || part == Part::scaled) return true;
    const std::uint32_t value = plain_source(warp, from)[lane];
    sum.known += base::mixed(value + s + 1);
    if (part == Part::factor && value != 0)
      sum.raised += static_cast<std::uint32_t>(std::countr_zero(value));
    if (part == Part::count) sum.raised += value % 32;
    return true;
  }
  const UnknownName name = name_of(warp, from, lane);
  if (name.packed == 0) return false;
  std::uint32_t shift = part == Part::other || part == Part::count ? 0 : name.shift();
  if (part == Part::scaled) shift += op.immediate & 31U;
  sum.shift = std::min(sum.shift, shift);
  sum.unknown += name.packed >> UnknownName::shift_bits;
  ++sum.count;
  return true;
}

UnknownName derived_name(const Warp& warp, const MicroOp& op, std::array<Part, 3> parts,
                         unsigned lane) {
  // A product of known factors is a known term.
  const bool product = parts[0] == Part::factor && !is_unknown(warp, op.source[0], lane) &&
                       !is_unknown(warp, op.source[1], lane);
  if (product) parts[0] = parts[1] = Part::none;
  Sum sum;
  for (unsigned s = 0; s < parts.size(); ++s) {
    if (parts[s] != Part::none && !add_source(warp, op, s, parts[s], lane, sum)) return {};
  }
  if (sum.count == 0) return {};  // only a predicate is unknown
  const bool kept = sum.count == 1 && sum.known == 0;
  const std::uint64_t identity = kept ? sum.unknown : base::mixed(sum.unknown + sum.known);
  return UnknownName::of(identity, sum.shift + sum.raised);
}

}  // namespace

UnknownName UnknownName::of(std::uint64_t identity, std::uint32_t shift) {
  // An odd number, so that no name is 0.
  const auto kept = static_cast<std::uint32_t>(identity) | 1U;
  return {kept << shift_bits | std::min(shift, most_shift)};
}

LaneNames derived_names(const Warp& warp, const MicroOp& op, LaneMask unknown) {
  LaneNames names{};
  if (warp.unknown.named.empty()) return names;
  const std::array<Part, 3> parts = parts_of(op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(unknown, i)) names[i] = derived_name(warp, op, parts, i);
  }
  if (op.operation != Operation::to_uniform) return names;
  const LaneMask takes = warp.active & (warp.predicates[op.guard] ^ op.guard_flip);
  const auto first = static_cast<unsigned>(std::countr_zero(takes)) & 31U;
  names.fill(name_of(warp, op.source[0], first));
  return names;
}

void set_names(Warp& warp, std::uint32_t at, LaneMask lanes, const LaneNames& names) {
  Unknowns& unknown = warp.unknown;
  if (unknown.named.empty()) {
    unknown.named.assign(unknown.cells.size(), 0);
    unknown.names.assign(unknown.cells.size() * cell::words, 0);
  }
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i) || names[i].packed == 0) continue;
    unknown.names[std::size_t{at} * cell::words + i] = names[i].packed;
    unknown.named[at] |= lane_bit(i);
  }
}

void name_loaded(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask drawn,
                 const MemoryAccess& access) {
  const Block& block = *warp.block;
  std::uint64_t owner = 0;
  if (access.space != MemorySpace::global) owner = block.linear + 1;
  if (access.space == MemorySpace::local) owner = owner << 8 | warp.number;
  for (std::uint32_t word = 0; word < words_of(op); ++word) {
    const LaneMask unknown = warp.unknown.cells[op.destination + word] & lanes;
    if (unknown == 0) continue;
    LaneNames names{};
    for (unsigned i = 0; i < lane_count; ++i) {
      const std::uint64_t turn = has_lane(drawn, i) ? block.environment->draws << 20 : 0;
      names[i] =
          UnknownName::of(base::mixed(base::mixed(access.address[i] + std::uint64_t{4} * word) ^
                                      owner << 40 ^ turn),
                          0);
    }
    set_names(warp, op.destination + word, unknown, names);
  }
}

LaneMask address_names(const Warp& warp, const MicroOp& op, LaneMask lanes, LaneNames& names) {
  const Unknowns& unknown = warp.unknown;
  if (unknown.named.empty()) return 0;
  std::array<std::uint32_t, 4> cells{cell::zero, cell::zero, op.uniform_cell, cell::zero};
  if (!op.source[0].pool) cells[0] = op.source[0].cell;
  if (!op.source[0].pool && op.has(flag::wide_address)) cells[1] = cells[0] + 1;
  if (op.has(flag::wide_uniform)) cells[3] = op.uniform_cell + 1;
  for (unsigned i = 0; i < lane_count; ++i) {
    std::uint32_t sum = 0, shift = most_shift;
    for (std::size_t k = 0; k < cells.size() && has_lane(lanes, i); ++k) {
      if (!has_lane(unknown.cells[cells[k]], i)) continue;
      if (!has_lane(unknown.named[cells[k]], i)) lanes &= ~lane_bit(i);
      const UnknownName name{unknown.names[std::size_t{cells[k]} * cell::words + i]};
      sum += name.packed >> UnknownName::shift_bits;
      if (k % 2 == 0) shift = std::min(shift, name.shift());  // an upper word moves by gigabytes
    }
    names[i] = UnknownName::of(sum, shift);
  }
  return lanes;
}

}  // namespace forewarp::execution
