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

/// How an operation uses a source. `scaled`: a term, shifted by the operation's count. `half`: 16
/// bits of it are a factor. `upper`: a factor of which the result is the upper word, so that its
/// zeros do not carry over.
enum class Part : std::uint8_t { none, term, scaled, factor, half, upper, count, other };

bool multiplies(Part part) {
  return part == Part::factor || part == Part::half || part == Part::upper;
}

std::array<Part, 3> parts_of(const MicroOp& op) {
  switch (op.operation) {
    case Operation::move:
      return {Part::term, Part::none, Part::none};
    case Operation::add:
    case Operation::add_carry:
    case Operation::add_pairs:
      return {Part::term, Part::term, Part::term};
    case Operation::multiply_add:
    case Operation::multiply_add_wide:
    case Operation::multiply_add_carry:
      return {Part::factor, Part::factor, Part::term};
    case Operation::multiply_add_high:
      return {Part::upper, Part::upper, Part::term};
    case Operation::half_multiply_add:
      return {Part::half, Part::half, Part::term};
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
  std::uint32_t terms = most_shift;    ///< shift of the unknown terms, the least
  std::uint32_t product = most_shift;  ///< of the unknown factors
  std::uint32_t raised = 0;            ///< by known factors

  [[nodiscard]] std::uint32_t shift() const { return std::min(terms, product + raised); }
};

bool is_unknown(const Warp& warp, const Source& from, unsigned lane) {
  return !from.pool && has_lane(warp.unknown.cells[from.cell], lane);
}

/// Zeros at the end of a known factor, or of the half of it that is used.
std::uint32_t zeros_of(const MicroOp& op, unsigned s, Part part, std::uint32_t value) {
  constexpr std::uint32_t half_bits = 16;
  if (part == Part::half)
    value = (op.immediate >> s & 1U) != 0 ? value >> half_bits : value & 0xffffU;
  return value == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(value));
}

/// What an unknown source's name says of the zeros at the end of what it brings.
std::uint32_t kept_shift(const MicroOp& op, unsigned s, Part part, UnknownName name) {
  switch (part) {
    case Part::term:
    case Part::factor:
      return name.shift();
    case Part::scaled:
      return name.shift() + (op.immediate & 31U);
    case Part::half:
      return (op.immediate >> s & 1U) != 0 ? 0 : name.shift();
    default:
      return 0;
  }
}

/// False: an unknown source has no name.
bool add_source(const Warp& warp, const MicroOp& op, unsigned s, Part part, unsigned lane,
                Sum& sum) {
  const Source& from = op.source[s];
  if (!is_unknown(warp, from, lane)) {
    if (part == Part::term || part == Part::scaled) return true;
    const std::uint32_t value = plain_source(warp, from)[lane];
    sum.known += base::mixed(value + s + 1);
    if (part == Part::factor || part == Part::half) sum.raised += zeros_of(op, s, part, value);
    if (part == Part::count) sum.raised += value % 32;
    return true;
  }
  const UnknownName name = name_of(warp, from, lane);
  if (name.packed == 0) return false;
  std::uint32_t& least = multiplies(part) ? sum.product : sum.terms;
  least = std::min(least, kept_shift(op, s, part, name));
  sum.unknown += name.packed >> UnknownName::shift_bits;
  ++sum.count;
  return true;
}

UnknownName derived_name(const Warp& warp, const MicroOp& op, std::array<Part, 3> parts,
                         unsigned lane) {
  // A product of known factors is a known term.
  const bool product = multiplies(parts[0]) && !is_unknown(warp, op.source[0], lane) &&
                       !is_unknown(warp, op.source[1], lane);
  if (product) parts[0] = parts[1] = Part::none;
  Sum sum;
  constexpr std::uint32_t half_bits = 16;
  if (parts[0] == Part::half && op.has(flag::product_left)) sum.raised = half_bits;
  for (unsigned s = 0; s < parts.size(); ++s) {
    if (parts[s] != Part::none && !add_source(warp, op, s, parts[s], lane, sum)) return {};
  }
  if (sum.count == 0) return {};  // only a predicate is unknown
  const bool kept = sum.count == 1 && sum.known == 0;
  const std::uint64_t identity = kept ? sum.unknown : base::mixed(sum.unknown + sum.known);
  return UnknownName::of(identity, sum.shift());
}

/// Lanes in which a predicate that is not known chooses the result, or a part of it. A carry only
/// joins the words of a sum.
LaneMask chosen_unknown(const Warp& warp, std::uint32_t index, const std::array<Part, 3>& parts) {
  LaneMask unknown = 0;
  if (parts[0] != Part::other || parts[1] != Part::other) return unknown;
  for (const std::uint8_t at : warp.block->environment->program->predicate_reads(index))
    unknown |= warp.unknown.predicates[at];
  return unknown;
}

}  // namespace

UnknownName UnknownName::of(std::uint64_t identity, std::uint32_t shift) {
  // An odd number, so that no name is 0.
  const auto kept = static_cast<std::uint32_t>(identity) | 1U;
  return {kept << shift_bits | std::min(shift, most_shift)};
}

LaneNames upper_words(LaneNames names) {
  for (UnknownName& name : names) name.packed &= ~most_shift;
  return names;
}

LaneNames derived_names(const Warp& warp, const MicroOp& op, std::uint32_t index,
                        LaneMask unknown) {
  LaneNames names{};
  if (warp.unknown.named.empty()) return names;
  const std::array<Part, 3> parts = parts_of(op);
  unknown &= ~chosen_unknown(warp, index, parts);
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
  const auto has_name = [](UnknownName name) { return name.packed != 0; };
  if (std::none_of(names.begin(), names.end(), has_name)) return;
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
  Environment& environment = *warp.block->environment;
  // What a block keeps for itself it writes again and again: each load finds something else.
  const bool own = access.space != MemorySpace::global && access.space != MemorySpace::generic;
  if (own) ++environment.draws;
  const std::uint64_t load = base::mixed(environment.draws << 32 ^ (warp.block->linear + 1));
  for (std::uint32_t word = 0; word < words_of(op); ++word) {
    const LaneMask unknown = warp.unknown.cells[op.destination + word] & lanes;
    if (unknown == 0) continue;
    LaneNames names{};
    for (unsigned i = 0; i < lane_count; ++i) {
      const std::uint64_t turn = own || has_lane(drawn, i) ? load : 0;
      const std::uint64_t lane =
          access.space == MemorySpace::local ? std::uint64_t{i + 1} << 56 : 0;
      const std::uint64_t place = access.address[i] + std::uint64_t{4} * word;
      names[i] = UnknownName::of(base::mixed(base::mixed(place) ^ turn ^ lane), 0);
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
