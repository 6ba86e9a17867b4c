// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/state/cells.h"
#include "execution/state/operation.h"
#include "program/memory_space.h"

namespace forewarp::execution {

struct Warp;
struct MicroOp;

/// Executes one operation of `warp` for the lanes in `lanes`.
using Handler = void (*)(Warp& warp, const MicroOp& op, LaneMask lanes);

/// Comparisons of two values, one code for integer and floating types. The unordered ones are true
/// for NaN.
enum class Comparison : std::uint8_t {
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  ordered,
  unordered,
  less_u,
  equal_u,
  less_equal_u,
  greater_u,
  not_equal_u,
  greater_equal_u,
  always,
  minimum,
  maximum,
};

enum class BooleanOperator : std::uint8_t { and_, or_, xor_ };

enum class Rounding : std::uint8_t { nearest, down, up, zero };

/// Element types named by memory, conversion and atomic instructions.
enum class ValueType : std::uint8_t {
  u8,
  s8,
  u16,
  s16,
  u32,
  s32,
  u64,
  s64,
  f16,
  bf16,
  f32,
  f64,
  f16x2,
  bf16x2,
  tf32,  ///< a float of 10 fraction bits
  e4m3,  ///< 8 bits, as float8 of either kind
  e5m2
};

[[nodiscard]] constexpr unsigned bytes_of(ValueType type) {
  switch (type) {
    case ValueType::u8:
    case ValueType::s8:
    case ValueType::e4m3:
    case ValueType::e5m2:
      return 1;
    case ValueType::u16:
    case ValueType::s16:
    case ValueType::f16:
    case ValueType::bf16:
      return 2;
    case ValueType::u64:
    case ValueType::s64:
    case ValueType::f64:
      return 8;
    default:
      return 4;
  }
}

[[nodiscard]] constexpr bool is_signed(ValueType type) {
  return type == ValueType::s8 || type == ValueType::s16 || type == ValueType::s32 ||
         type == ValueType::s64;
}

enum class AtomicOperator : std::uint8_t {
  add,
  minimum,
  maximum,
  increment,
  decrement,
  and_,
  or_,
  xor_,
  exchange,
  compare_exchange,
};

/// What an arrival at a barrier in shared memory does with its register (MicroOp::second).
enum class ArrivalForm : std::uint8_t {
  one,         ///< one arrival
  count,       ///< as many arrivals as it says
  bytes_too,   ///< one arrival, and it says how many bytes the phase waits for besides
  bytes_only,  ///< only that
  less_bytes   ///< bytes that have come
};

/// What F2FP converts (MicroOp::second), a pair of halves or of bytes for one register.
enum class PackForm : std::uint8_t {
  both,           ///< PACK_AB: a above b
  one_merged,     ///< MERGE_C: a, and a half of c above it
  one,            ///< PACK_B: one float
  bytes_merged,   ///< PACK_AB_MERGE_C: bytes of a and b, and a half of c above them
  bytes_of_pair,  ///< UNPACK_B_MERGE_C: bytes of both halves of a, and a half of c above them
  pair_of_bytes   ///< UNPACK_B: the halves of two bytes
};

/// What a bulk or tensor copy moves (MicroOp::immediate).
enum class BulkWay : std::uint8_t { to_shared, to_global, within_shared, prefetch };

/// A source operand: a cell of the warp, or of the launch's pool of constants.
struct Source {
  std::uint32_t cell = cell::zero;
  bool pool = false;
  bool modified = false;  ///< MicroOp::modify applies
  bool operator==(const Source&) const = default;
};

/// Applied to a source: (((x >> shift) & keep) ^ flip) + add. Covers negation, absolute value,
/// complement and selecting a half.
struct SourceModifier {
  std::uint32_t keep = 0xffffffffU;
  std::uint32_t flip = 0;
  std::uint32_t add = 0;
  std::uint32_t shift = 0;  ///< applied first
  bool operator==(const SourceModifier&) const = default;
};

/// How much the run loop has to do around an operation.
/// `wait`: a warp operation before which the warp may have to wait.
enum class OperationKind : std::uint8_t { lane, warp, flow, wait };

/// MicroOp::second of a special register that is the address in MicroOp::offset.
inline constexpr std::uint32_t own_address_value = 4;

/// Boolean options of operations: bits of MicroOp::flags.
namespace flag {
inline constexpr std::uint32_t is_signed = 1U << 0;
inline constexpr std::uint32_t flush = 1U << 1;  ///< .FTZ
inline constexpr std::uint32_t saturate = 1U << 2;
inline constexpr std::uint32_t wrap = 1U << 3;  ///< shift counts modulo the width
inline constexpr std::uint32_t high = 1U << 4;  ///< .HI
inline constexpr std::uint32_t left = 1U << 5;
inline constexpr std::uint32_t bits64 = 1U << 6;
inline constexpr std::uint32_t carry_in = 1U << 7;   ///< adds predicate_in[0] (and [1])
inline constexpr std::uint32_t carry_out = 1U << 8;  ///< writes predicate_out[0] (and [1])
inline constexpr std::uint32_t set_code = 1U << 9;   ///< writes the condition code
inline constexpr std::uint32_t extended = 1U << 10;  ///< ISETP.EX / .X: continues from the low word
inline constexpr std::uint32_t as_float = 1U << 11;  ///< .BF: 1.0f for true
inline constexpr std::uint32_t position = 1U << 12;  ///< FLO.SH; BFE.BREV
inline constexpr std::uint32_t returns = 1U << 13;   ///< atomics: the old value is wanted
inline constexpr std::uint32_t packed = 1U << 14;  ///< CAS before sm_70: one vector of both values
inline constexpr std::uint32_t merge = 1U << 15;   ///< XMAD.MRG
inline constexpr std::uint32_t product_left = 1U << 16;  ///< XMAD.PSL
inline constexpr std::uint32_t signed_a = 1U << 17;
inline constexpr std::uint32_t signed_b = 1U << 18;
inline constexpr std::uint32_t accumulate = 1U << 19;
inline constexpr std::uint32_t strong = 1U << 20;   ///< may poll for another thread's store
inline constexpr std::uint32_t uniform = 1U << 21;  ///< runs once per warp: all lanes are written
inline constexpr std::uint32_t wide_address = 1U << 22;
inline constexpr std::uint32_t unsigned_base = 1U << 23;
inline constexpr std::uint32_t wide_uniform = 1U << 24;
inline constexpr std::uint32_t turns = 1U << 25;  ///< MUFU.SIN, COS take turns, not radians
inline constexpr std::uint32_t multiply_d2 = 1U << 26;
inline constexpr std::uint32_t any_lane = 1U << 27;  ///< VOTE.ANY, MATCH.ANY
inline constexpr std::uint32_t negate_data = 1U << 28;
inline constexpr std::uint32_t pops = 1U << 29;  ///< sm_35 `.S`: pops the stack afterwards
/// The handler tracks unknown values itself.
inline constexpr std::uint32_t own_unknown = 1U << 30;
inline constexpr std::uint32_t gives_way = 1U << 31;  ///< other warps run after it
}  // namespace flag

/// One instruction as the executor runs it: everything is resolved except the launch's constants.
struct MicroOp {
  Handler handler = nullptr;  ///< null: of control flow, or nothing needs what it writes
  Handler inner = nullptr;    ///< what `handler` runs after fetching an indexed constant
  Operation operation = Operation::none;
  OperationKind kind = OperationKind::lane;
  std::uint8_t guard = predicate::always;
  LaneMask guard_flip = 0;  ///< all lanes for @!P
  std::uint32_t flags = 0;
  std::uint32_t destination = cell::sink;
  std::array<Source, 3> source{};
  std::array<std::uint8_t, 2> predicate_out{predicate::sink, predicate::sink};
  std::array<std::uint8_t, 3> predicate_in{predicate::always, predicate::always, predicate::always};
  std::array<bool, 3> predicate_invert{};
  std::uint32_t immediate = 0;  ///< truth table, shift count, function: by operation
  std::uint32_t second = 0;     ///< second truth table, target instruction, second destination
  Comparison comparison = Comparison::never;
  BooleanOperator combine = BooleanOperator::and_;
  Rounding rounding = Rounding::nearest;
  ValueType type = ValueType::u32;
  ValueType source_type = ValueType::u32;
  MemorySpace space = MemorySpace::global;
  AtomicOperator atomic = AtomicOperator::add;
  std::uint8_t bytes = 4;                   ///< memory: bytes that one lane moves
  std::uint8_t bank = 0;                    ///< constants: which bank
  bool indexed_constant = false;            ///< a source is c[bank][uniform_cell + offset]
  std::uint32_t uniform_cell = cell::zero;  ///< memory: uniform part of the address
  std::int64_t offset = 0;                  ///< memory: constant part of the address
  std::array<SourceModifier, 3> modify{};

  [[nodiscard]] bool has(std::uint32_t bit) const { return (flags & bit) != 0; }
  bool operator==(const MicroOp&) const = default;
};

}  // namespace forewarp::execution
