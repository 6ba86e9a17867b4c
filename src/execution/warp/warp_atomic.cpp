// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstring>

#include "execution/state/half_number.h"
#include "execution/storage/address_space.h"
#include "execution/warp/unknown_names.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution::warp_operation {
namespace {

template <class Number>
Number combined(AtomicOperator by, Number old, Number data) {
  switch (by) {
    case AtomicOperator::add:
      return old + data;
    case AtomicOperator::minimum:
      return data < old ? data : old;
    case AtomicOperator::maximum:
      return old < data ? data : old;
    case AtomicOperator::exchange:
      return data;
    default:
      return old;
  }
}

std::uint64_t combined_integers(AtomicOperator by, std::uint64_t old, std::uint64_t data,
                                bool is_signed_type, unsigned bits) {
  switch (by) {
    case AtomicOperator::and_:
      return old & data;
    case AtomicOperator::or_:
      return old | data;
    case AtomicOperator::xor_:
      return old ^ data;
    case AtomicOperator::increment:
      return old >= data ? 0 : old + 1;
    case AtomicOperator::decrement:
      return old == 0 || old > data ? data : old - 1;
    default:
      break;
  }
  if (!is_signed_type) return combined<std::uint64_t>(by, old, data);
  const unsigned up = 64 - bits;
  const auto widened = [up](std::uint64_t x) { return static_cast<std::int64_t>(x << up) >> up; };
  if (by == AtomicOperator::add) return old + data;
  return static_cast<std::uint64_t>(combined<std::int64_t>(by, widened(old), widened(data)));
}

std::uint64_t combined_halves(AtomicOperator by, std::uint64_t old, std::uint64_t data,
                              bool bfloat) {
  const auto wide = [bfloat](std::uint64_t word) -> double {
    const auto bits = static_cast<std::uint32_t>(word & 0xffffU);
    return bfloat ? bfloat_to_float(bits) : half_to_float(bits);
  };
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift <= 16; shift += 16) {
    const double value = combined(by, wide(old >> shift), wide(data >> shift));
    const std::uint32_t bits = bfloat ? double_to_bfloat(value) : double_to_half(value);
    result |= std::uint64_t{bits} << shift;
  }
  return result;
}

/// A sum of doubles: NaNs as they come, that of the data first.
std::uint64_t combined_doubles(AtomicOperator by, std::uint64_t old, std::uint64_t data) {
  const auto first = std::bit_cast<double>(old), second = std::bit_cast<double>(data);
  if (second != second) return data;
  if (first != first) return old;
  return std::bit_cast<std::uint64_t>(combined(by, first, second));
}

std::uint32_t canonical_float(float value) {
  constexpr std::uint32_t float_nan = 0x7fffffffU;
  return value != value ? float_nan : std::bit_cast<std::uint32_t>(value);
}

/// .FTZ: denormal numbers are zeros of their sign.
std::uint32_t without_denormal(std::uint32_t bits) {
  return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

std::uint64_t new_value(const MicroOp& op, std::uint64_t old, std::uint64_t data) {
  switch (op.type) {
    case ValueType::f32: {
      const auto bits = [&](std::uint64_t word) {
        const auto low = static_cast<std::uint32_t>(word);
        return op.has(flag::flush) ? without_denormal(low) : low;
      };
      return bits(canonical_float(
          combined(op.atomic, std::bit_cast<float>(bits(old)), std::bit_cast<float>(bits(data)))));
    }
    case ValueType::f64:
      return combined_doubles(op.atomic, old, data);
    case ValueType::f16x2:
    case ValueType::bf16x2:
      return combined_halves(op.atomic, old, data, op.type == ValueType::bf16x2);
    default:
      return combined_integers(op.atomic, old, data, is_signed(op.type), 8 * op.bytes);
  }
}

/// An operand of 4 or 8 bytes in one lane, starting at its word `first`.
std::uint64_t operand_value(const Warp& warp, const Source& from, const MicroOp& op, unsigned lane,
                            std::uint32_t first = 0) {
  const std::uint64_t low = plain_source(warp, from, first)[lane];
  if (op.bytes < 8) return low;
  return std::uint64_t{plain_source(warp, from, first + 1)[lane]} << 32 | low;
}

LaneMask unknown_operand(const Warp& warp, const Source& from, std::uint32_t words) {
  if (!warp.unknown.any || from.pool) return 0;
  LaneMask unknown = 0;
  for (std::uint32_t i = 0; i < words; ++i) unknown |= warp.unknown.cells[from.cell + i];
  return unknown;
}

/// One lane's read-modify-write. Returns the old value.
std::uint64_t update(const Warp& warp, const MicroOp& op, unsigned lane, std::uint8_t* data) {
  std::uint64_t old = 0;
  std::memcpy(&old, data, op.bytes);
  std::uint64_t value = operand_value(warp, op.source[1], op, lane);
  if (op.atomic == AtomicOperator::compare_exchange) {
    const std::uint64_t swap = op.has(flag::packed)
                                   ? operand_value(warp, op.source[1], op, lane, op.bytes / 4U)
                                   : operand_value(warp, op.source[2], op, lane);
    value = old == value ? swap : old;
  } else {
    value = new_value(op, old, value);
  }
  std::memcpy(data, &value, op.bytes);
  return old;
}

/// The same of a vector, each of its words by itself.
void update_words(const Warp& warp, const MicroOp& op, unsigned lane, std::uint8_t* data) {
  for (std::uint32_t word = 0; word < op.bytes / 4U; ++word) {
    std::uint32_t old = 0;
    std::memcpy(&old, data + std::size_t{4} * word, 4);
    const std::uint32_t given = plain_source(warp, op.source[1], word)[lane];
    const auto value = static_cast<std::uint32_t>(new_value(op, old, given));
    std::memcpy(data + std::size_t{4} * word, &value, 4);
  }
}

struct Target {
  MemorySpace space;
  std::uint64_t address;
};

Target target_of(const MicroOp& op, std::uint64_t address) {
  if (op.space != MemorySpace::generic) return {op.space, address};
  const MemorySpace space = space_of_generic(address);
  if (space == MemorySpace::global) return {space, address};
  return {space, within_space(address)};
}

/// ATOM P, ..: sets P in the lanes that it served; the code after it serves shared memory.
LaneMask outside_shared(Warp& warp, const MicroOp& op, LaneMask lanes, MemoryAccess& access) {
  LaneMask outside = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (space_of_generic(access.address[i]) != MemorySpace::shared) outside |= lane_bit(i);
  }
  write_predicate(warp, op, 0, lanes, outside);
  if (warp.unknown.any) warp.unknown.mark_predicate(op.predicate_out[0], lanes, 0, no_origin);
  access.lanes = lanes & outside;
  if (access.lanes == 0) warp.access_count = 0;
  return access.lanes;
}

}  // namespace

void atomic(Warp& warp, const MicroOp& op, LaneMask lanes) {
  // One atomic for the whole warp, by the first lane.
  if (op.has(flag::uniform)) lanes = warp.active & (~warp.active + 1);
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  const LaneMask drawn = unknown_address(warp, op, 0, lanes);
  if (drawn != 0 && !draw_addresses(warp, op, drawn, access)) return;
  access.kind = op.has(flag::returns) ? AccessKind::atomic : AccessKind::reduction;
  warp.access_count = 1;
  const std::uint32_t words = op.bytes / 4U;
  const LaneMask unknown_input =
      drawn | unknown_operand(warp, op.source[1], op.has(flag::packed) ? 2 * words : words) |
      unknown_operand(warp, op.source[2], words);
  Locator locator(warp, op, access.instruction);
  // Of what is returned, or was exchanged, the known rest still tells where it leads.
  if (!op.has(flag::returns) && op.atomic != AtomicOperator::exchange &&
      op.atomic != AtomicOperator::compare_exchange) {
    locator.drop_unknown();
  }
  LaneMask unknown = 0;
  if (op.space == MemorySpace::generic && op.predicate_out[0] != predicate::sink)
    lanes = outside_shared(warp, op, lanes, access);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Target target = target_of(op, access.address[i]);
    if (op.space == MemorySpace::generic) access.space = target.space;
    const Location at = target.space == MemorySpace::shared
                            ? locator.shared(target.address, i)
                            : locator.global(target.address, i, buffer_use::both);
    if (at.state != Location::State::found) {
      unknown |= lane_bit(i);
      continue;
    }
    const std::uint64_t compared = operand_value(warp, op.source[1], op, i);
    std::array<std::uint32_t, 4> before{};
    std::memcpy(before.data(), at.data, op.bytes);
    if (op.bytes > bytes_of(op.type)) {
      update_words(warp, op, i, at.data);
    } else {
      const std::uint64_t old = update(warp, op, i, at.data);
      if (op.has(flag::position)) before = {old == compared ? 1U : 0U};
    }
    const bool lost = at.unknown || has_lane(unknown_input, i);
    locator.set_unknown(target.address, target.space, lost);
    if (lost) unknown |= lane_bit(i);
    for (std::uint32_t word = 0; word < words; ++word)
      destination(warp, op, word)[i] = before[word];
  }
  if (unknown != 0) warp.block->environment->unknown_buffer[access.instruction] = locator.buffer();
  mark_result(warp, op, lanes, unknown, words);
  if (unknown == 0 || op.destination == cell::sink || !names_results(warp, access.instruction))
    return;
  ++warp.block->environment->draws;  // each atomic finds another value
  name_loaded(warp, op, unknown, unknown, access);
}

}  // namespace forewarp::execution::warp_operation
