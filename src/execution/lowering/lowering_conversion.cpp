// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>
#include <span>

#include "execution/lowering/lowering.h"

namespace forewarp::execution {
namespace {

std::optional<ValueType> type_of(Modifier m) {
  switch (m) {
    case modifier::u8:
      return ValueType::u8;
    case modifier::s8:
      return ValueType::s8;
    case modifier::u16:
      return ValueType::u16;
    case modifier::s16:
      return ValueType::s16;
    case modifier::u32:
      return ValueType::u32;
    case modifier::s32:
      return ValueType::s32;
    case modifier::u64:
      return ValueType::u64;
    case modifier::s64:
      return ValueType::s64;
    case modifier::f16:
      return ValueType::f16;
    case modifier::bf16:
      return ValueType::bf16;
    case modifier::f32:
      return ValueType::f32;
    case modifier::f64:
      return ValueType::f64;
    default:
      return std::nullopt;
  }
}

bool is_floating(ValueType type) {
  return type == ValueType::f16 || type == ValueType::bf16 || type == ValueType::f32 ||
         type == ValueType::f64;
}

struct NamedTypes {
  std::optional<ValueType> floating[2];
  std::optional<ValueType> integer[2];
};

/// The types that the modifiers name, in order; floating and integer types separately.
NamedTypes named_types(const Instruction& instruction) {
  NamedTypes types;
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const auto type = type_of(instruction.modifiers[i]);
    if (!type) continue;
    auto& list = is_floating(*type) ? types.floating : types.integer;
    (list[0] ? list[1] : list[0]) = type;
  }
  return types;
}

/// The first byte that .B1, .H1 and the like select from the source.
std::uint32_t first_byte(const Operand& operand) {
  switch (operand.part) {
    case Part::b1:
      return 1;
    case Part::b2:
      return 2;
    case Part::b3:
      return 3;
    case Part::h1:
    case Part::h1_h1:
      return 2;
    default:
      return 0;
  }
}

/// Takes a source and selects its half, by a shift that applies before other modifiers.
bool floating_source(Lowering& l) {
  const Operand* operand = l.peek();
  if (operand == nullptr) return false;
  const bool upper = first_byte(*operand) == 2;
  const Reading reading = l.op.source_type == ValueType::f64 ? Reading::doubles : Reading::floating;
  if (!l.source(0, reading)) return false;
  if (l.op.source_type == ValueType::f16 || l.op.source_type == ValueType::bf16) {
    SourceModifier& m = l.op.modify[0];
    m.keep = operand->absolute ? 0x7fffU : 0xffffU;
    m.flip = operand->negate ? 0x8000U : 0;
    m.shift = upper ? 16 : 0;
    l.op.source[0].modified = true;
  }
  return true;
}

bool integer_source(Lowering& l) {
  const Operand* operand = l.peek();
  if (operand == nullptr) return false;
  l.set(flag::accumulate, operand->absolute);
  l.op.immediate = first_byte(*operand);
  if (!l.source(0, Reading::integer)) return false;
  if (bytes_of(l.op.source_type) == 8) l.widen(0, *operand);
  // Of a part or a pair of registers the number is negated, not the register.
  if (operand->negate && (operand->absolute || bytes_of(l.op.source_type) != 4)) {
    l.set(flag::negate_data);
    l.op.source[0].modified = false;
  }
  return true;
}

bool integer_to_float(Lowering& l) {
  l.op.operation = Operation::integer_to_float;
  const NamedTypes types = named_types(l.instruction());
  l.op.type = types.floating[0].value_or(ValueType::f32);
  l.op.source_type = types.integer[0].value_or(ValueType::s32);
  l.op.rounding = rounding_of(l.instruction());
  return l.destination() && integer_source(l);
}

bool float_to_integer(Lowering& l) {
  l.op.operation = Operation::float_to_integer;
  const NamedTypes types = named_types(l.instruction());
  l.op.type = types.integer[0].value_or(ValueType::s32);
  l.op.source_type = types.floating[0].value_or(ValueType::f32);
  l.op.rounding = rounding_of(l.instruction());
  l.set(flag::flush, l.has(modifier::ftz));
  return l.destination() && floating_source(l);
}

/// F2F.DST.SRC. Same types with a rounding (or FRND): to an integral value.
bool float_to_float(Lowering& l) {
  l.op.operation = Operation::float_to_float;
  const NamedTypes types = named_types(l.instruction());
  l.op.type = types.floating[0].value_or(ValueType::f32);
  const bool round_only = l.mnemonic() == "FRND" || l.mnemonic() == "UFRND";
  l.op.source_type = round_only ? l.op.type : types.floating[1].value_or(ValueType::f32);
  l.op.rounding = rounding_of(l.instruction());
  const bool integral = l.has(modifier::round) || l.has(modifier::floor) || l.has(modifier::ceil) ||
                        l.has(modifier::trunc);
  l.set(flag::position, round_only || integral);
  l.set(flag::flush, l.has(modifier::ftz));
  l.set(flag::saturate, l.has(modifier::sat));
  return l.destination() && floating_source(l);
}

PackForm pack_form(const Lowering& l) {
  if (l.says("MERGE_C")) return PackForm::one_merged;
  if (l.says("PACK_B")) return PackForm::one;
  if (l.says("PACK_AB_MERGE_C")) return PackForm::bytes_merged;
  if (l.says("UNPACK_B_MERGE_C")) return PackForm::bytes_of_pair;
  return l.says("UNPACK_B") ? PackForm::pair_of_bytes : PackForm::both;
}

ValueType byte_type(const Lowering& l) {
  return l.says("E5M2") ? ValueType::e5m2 : ValueType::e4m3;
}

/// A register of which .H1 names the upper half: a shift that the handler makes (`position`).
bool part_source(Lowering& l, unsigned index) {
  const Operand* operand = l.peek();
  if (operand == nullptr) return false;
  l.set(flag::position, first_byte(*operand) == 2);
  return l.source(index, Reading::integer);
}

/// Numbers of 8 bits have only these forms; those without .SATFINITE do not saturate.
bool form_is_known(const Lowering& l, PackForm form) {
  const bool bytes = l.says("E4M3") || l.says("E5M2");
  switch (form) {
    case PackForm::both:
    case PackForm::one_merged:
      return !bytes && !l.says("TF32");
    case PackForm::one:
      return l.says("TF32");
    case PackForm::pair_of_bytes:
      return bytes && l.has(modifier::f16);
    default:
      return bytes && l.says("SATFINITE") && rounding_of(l.instruction()) == Rounding::nearest;
  }
}

/// F2FP.F16.F32.PACK_AB R, a, b and its other forms (PackForm).
bool float_pack(Lowering& l) {
  l.op.operation = Operation::float_pack;
  l.op.rounding = rounding_of(l.instruction());
  const PackForm form = pack_form(l);
  if (!form_is_known(l, form) || !l.destination()) return false;
  l.op.second = static_cast<std::uint32_t>(form);
  l.op.type = l.has(modifier::bf16) ? ValueType::bf16 : ValueType::f16;
  l.set(flag::accumulate, l.has(modifier::relu));
  switch (form) {
    case PackForm::one:
      return l.source(0, Reading::floating);
    case PackForm::pair_of_bytes:
      l.op.source_type = byte_type(l);
      return part_source(l, 0);
    case PackForm::bytes_merged:
      l.op.type = byte_type(l);
      return l.source(0, Reading::floating) && l.source(1, Reading::floating) && part_source(l, 2);
    case PackForm::bytes_of_pair:
      l.op.type = byte_type(l);
      return l.source(0, Reading::half) && part_source(l, 2);
    case PackForm::one_merged:
      return l.source(0, Reading::floating) && part_source(l, 2);
    default:
      return l.source(0, Reading::floating) && l.source(1, Reading::floating);
  }
}

/// The integers that I2IP and F2IP make, by their names.
struct PackedInteger {
  std::string_view name;
  std::uint32_t bits;
  bool is_signed;
};

/// I2IP.S8.S32.SAT R, a, b, c[.24] and F2IP.U8.F32.NTZ R, a, b, c: the number behind c says how
/// many of its lower bits go above.
bool integer_pack(Lowering& l) {
  constexpr std::array<PackedInteger, 8> integers{{{"S16", 16, true},
                                                   {"U16", 16, false},
                                                   {"S8", 8, true},
                                                   {"U8", 8, false},
                                                   {"S4", 4, true},
                                                   {"U4", 4, false},
                                                   {"S2", 2, true},
                                                   {"U2", 2, false}}};
  l.op.operation = Operation::integer_pack;
  for (const PackedInteger& integer : integers) {
    if (!l.says(integer.name)) continue;
    l.op.immediate = integer.bits;
    l.set(flag::is_signed, integer.is_signed);
  }
  const bool floating = l.mnemonic() == "F2IP";
  l.op.source_type = floating ? ValueType::f32 : ValueType::s32;
  l.op.rounding = rounding_of(l.instruction());
  l.set(flag::saturate, floating || l.has(modifier::sat));
  const Reading reading = floating ? Reading::floating : Reading::integer;
  if (l.op.immediate == 0 || l.says("FTZ") || (!floating && !l.says("S32"))) return false;
  return l.destination() && l.source(0, reading) && l.source(1, reading) &&
         l.source(2, Reading::integer);
}

bool integer_to_integer(Lowering& l) {
  l.op.operation = Operation::integer_to_integer;
  const NamedTypes types = named_types(l.instruction());
  l.op.type = types.integer[0].value_or(ValueType::s32);
  l.op.source_type = types.integer[1].value_or(ValueType::s32);
  l.set(flag::saturate, l.has(modifier::sat));
  return l.destination() && integer_source(l);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"I2F", integer_to_float},
    {"I2FP", integer_to_float},
    {"F2I", float_to_integer},
    {"F2F", float_to_float},
    {"FRND", float_to_float},
    {"F2FP", float_pack},
    {"I2I", integer_to_integer},
    {"I2IP", integer_pack},
    {"F2IP", integer_pack},
});

}  // namespace

std::span<const LoweringRule> conversion_rules() {
  return rules;
}

}  // namespace forewarp::execution
