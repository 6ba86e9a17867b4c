// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <span>

#include "execution/lowering/lowering.h"
#include "program/roles.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

bool is_space(const Lowering& l, MemorySpace space) {
  return l.op.space == space;
}

/// Splits an operand like [R2.64+UR4+0x10]. The base becomes source `index`; only one offset fits.
bool address(Lowering& l, unsigned index) {
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::memory) return false;
  if (operand->base != no_register) l.op.source[index].cell = l.general_cell(operand->base);
  if (operand->uniform_base != no_register)
    l.op.uniform_cell = l.uniform_cell(operand->uniform_base);
  l.op.offset = operand->value;
  l.op.immediate = static_cast<std::uint32_t>(std::countr_zero(std::uint32_t{operand->scale}));
  const bool far = is_space(l, MemorySpace::global) || is_space(l, MemorySpace::generic);
  const bool wide = far && !operand->unsigned_base && (operand->wide || l.has(modifier::e));
  l.set(flag::wide_address, wide && operand->base != no_register);
  l.set(flag::wide_uniform,
        far && (wide || operand->unsigned_base) && operand->uniform_base != no_register);
  return true;
}

MemorySpace space_of(const Instruction& instruction) {
  switch (instruction.instruction_class) {
    case InstructionClass::load_shared:
    case InstructionClass::store_shared:
    case InstructionClass::atomic_shared:
      return MemorySpace::shared;
    case InstructionClass::load_local:
    case InstructionClass::store_local:
      return MemorySpace::local;
    case InstructionClass::load_generic:
    case InstructionClass::store_generic:
      return MemorySpace::generic;
    case InstructionClass::load_constant:
    case InstructionClass::uniform_load_constant:
      return MemorySpace::constant;
    default:
      return MemorySpace::global;
  }
}

void access_shape(Lowering& l) {
  const Instruction& instruction = l.instruction();
  l.op.space = space_of(instruction);
  l.op.bytes = static_cast<std::uint8_t>(access_bytes(instruction));
  l.op.type = ValueType::u32;
  if (l.has(modifier::u8)) l.op.type = ValueType::u8;
  if (l.has(modifier::s8)) l.op.type = ValueType::s8;
  if (l.has(modifier::u16)) l.op.type = ValueType::u16;
  if (l.has(modifier::s16)) l.op.type = ValueType::s16;
  l.set(flag::strong, l.has(modifier::strong) || l.has(modifier::cv) || l.has(modifier::cg));
  l.set(flag::own_unknown);
}

bool load(Lowering& l) {
  l.op.operation = Operation::load;
  access_shape(l);
  if (l.at_predicate() && !l.predicate_out(0)) return false;
  return l.destination() && address(l, 0);
}

bool store(Lowering& l) {
  l.op.operation = Operation::store;
  access_shape(l);
  return address(l, 0) && l.source(1, Reading::integer);
}

/// LDSLK P, R, [R]: among lanes that access one word, the first takes its lock. STSCUL P, [R], R
/// stores and unlocks.
bool load_locked(Lowering& l) {
  l.set(flag::merge);
  return load(l);
}

bool store_unlock(Lowering& l) {
  l.set(flag::merge);
  l.op.operation = Operation::store;
  access_shape(l);
  return l.predicate_out(0) && address(l, 0) && l.source(1, Reading::integer);
}

/// LDC R, c[3][R+4] and ULDC.
bool load_constant(Lowering& l) {
  l.op.operation = Operation::load_constant;
  access_shape(l);
  if (!l.destination()) return false;
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::constant ||
      operand->descriptor != no_register) {
    return false;
  }
  l.op.bank = static_cast<std::uint8_t>(operand->index);
  l.op.offset = operand->value;
  if (operand->base != no_register) l.op.source[0].cell = l.general_cell(operand->base);
  if (operand->uniform_base != no_register)
    l.op.uniform_cell = l.uniform_cell(operand->uniform_base);
  return true;
}

/// Vectors of which each element is added by itself.
struct AtomicVector {
  std::string_view name;
  ValueType type;
  std::uint8_t bytes;
};
constexpr auto atomic_vectors = std::to_array<AtomicVector>({{"F16x2", ValueType::f16x2, 4},
                                                             {"F16x4", ValueType::f16x2, 8},
                                                             {"F16x8", ValueType::f16x2, 16},
                                                             {"BF16x2", ValueType::bf16x2, 4},
                                                             {"BF16x4", ValueType::bf16x2, 8},
                                                             {"BF16x8", ValueType::bf16x2, 16},
                                                             {"F32x2", ValueType::f32, 8},
                                                             {"F32x4", ValueType::f32, 16}});

bool atomic_type(Lowering& l) {
  l.op.type = ValueType::u32;
  const auto choose = [&](Modifier m, ValueType type) {
    if (l.has(m)) l.op.type = type;
  };
  choose(modifier::s32, ValueType::s32);
  choose(modifier::n64, ValueType::u64);
  choose(modifier::u64, ValueType::u64);
  choose(modifier::s64, ValueType::s64);
  choose(modifier::f32, ValueType::f32);
  choose(modifier::f64, ValueType::f64);
  l.op.bytes = static_cast<std::uint8_t>(bytes_of(l.op.type));
  for (const AtomicVector& vector : atomic_vectors) {
    if (!l.says(vector.name)) continue;
    l.op.type = vector.type;
    l.op.bytes = vector.bytes;
  }
  return !l.has(modifier::n128) && !l.has(modifier::bf16_v2);
}

bool atomic_operator(Lowering& l) {
  struct Named {
    Modifier modifier;
    AtomicOperator atomic;
  };
  constexpr auto operators =
      std::to_array<Named>({{modifier::add, AtomicOperator::add},
                            {modifier::min, AtomicOperator::minimum},
                            {modifier::max, AtomicOperator::maximum},
                            {modifier::inc, AtomicOperator::increment},
                            {modifier::dec, AtomicOperator::decrement},
                            {modifier::and_, AtomicOperator::and_},
                            {modifier::or_, AtomicOperator::or_},
                            {modifier::xor_, AtomicOperator::xor_},
                            {modifier::exch, AtomicOperator::exchange},
                            {modifier::cas, AtomicOperator::compare_exchange}});
  for (const Named& named : operators) {
    if (!l.has(named.modifier)) continue;
    l.op.atomic = named.atomic;
    return true;
  }
  return false;
}

/// Counts arrivals at a barrier in shared memory (mbarrier).
bool arrive(Lowering& l) {
  l.op.operation = Operation::arrive;
  l.op.space = MemorySpace::shared;
  l.op.bytes = 8;
  l.set(flag::own_unknown);
  return l.destination() && address(l, 0);
}

/// ARRIVES.LDGSTSBAR.64 [barrier]: arrives once the thread's copies to shared memory have come.
/// They come at once here; the code has raised the count of arrivals before.
bool arrive_after_copies(Lowering& l) {
  l.op.operation = Operation::arrive;
  l.op.space = MemorySpace::shared;
  l.op.bytes = 8;
  l.op.destination = cell::sink;
  l.set(flag::own_unknown);
  return address(l, 0);
}

/// ATOM, ATOMG, ATOMS and, without a result, RED.
bool atomic(Lowering& l) {
  l.op.operation = Operation::atomic;
  l.op.space = space_of(l.instruction());
  if (l.mnemonic() == "ATOM") l.op.space = MemorySpace::generic;
  if (l.has(modifier::arrive)) return arrive(l);
  l.set(flag::own_unknown);
  if (!atomic_type(l)) return false;
  l.set(flag::flush, l.has(modifier::ftz));
  const bool reduction = l.instruction().instruction_class == InstructionClass::reduction_global;
  const bool population = l.has(modifier::popc);  // ATOMS.POPC.INC: one from every lane
  const bool attempt = l.has(modifier::cast);     // ATOMS.CAST: says whether it stored
  if (attempt) {
    l.op.atomic = AtomicOperator::compare_exchange;
    l.set(flag::position);
  } else if (population) {
    l.op.atomic = AtomicOperator::add;
  } else if (!atomic_operator(l)) {
    return false;
  }
  if (!reduction) {
    if (l.at_predicate() && !l.predicate_out(0)) return false;
    if (!l.destination()) return false;
    l.set(flag::returns, l.op.destination != cell::sink);
  }
  if (l.op.space != MemorySpace::shared) l.program().global_atomics = true;
  if (!address(l, 0)) return false;
  if (population) {
    l.set_immediate(1, 1);
    return true;
  }
  if (!l.source(1, Reading::integer)) return false;
  if (l.op.atomic != AtomicOperator::compare_exchange) return true;
  l.set(flag::packed, l.left() == 0);
  return l.left() == 0 || l.source(2, Reading::integer);
}

/// QSPC.S P, R, [address]: whether a generic address is in shared (.S), local or global memory.
bool query_space(Lowering& l) {
  l.op.operation = Operation::query_space;
  l.op.space = MemorySpace::generic;
  const std::string_view text = l.kernel().text_of(l.instruction());
  const auto asks = [&](std::string_view suffix) {
    return text.find(suffix) != std::string_view::npos;
  };
  MemorySpace wanted = MemorySpace::global;
  if (asks(".S ")) wanted = MemorySpace::shared;
  if (asks(".L ")) wanted = MemorySpace::local;
  l.op.second = static_cast<std::uint32_t>(wanted);
  return l.predicate_out(0) && l.destination() && address(l, 0);
}

/// SYNCS.ARRIVE.TRANS64[.RED][.FORM] R, [barrier], R. The form says what the last register holds:
/// A1T0 and A0T1 nothing, ART0 arrivals, A0TR bytes expected, A0TX bytes that have come, none of
/// them one arrival and bytes expected.
bool arrive_with(Lowering& l, std::string_view text) {
  const auto is = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (!arrive(l)) return false;
  ArrivalForm form = ArrivalForm::bytes_too;
  if (is("A1T0")) form = ArrivalForm::one;
  if (is("ART0")) form = ArrivalForm::count;
  if (is("A0TR")) form = ArrivalForm::bytes_only;
  if (is("A0TX")) form = ArrivalForm::less_bytes;
  l.op.second = static_cast<std::uint32_t>(form);
  l.set(flag::merge, is("OPTOUT"));
  if (is("A0T1")) {  // arrives once the warp's copies of registers' width have come: at once
    l.op.operation = Operation::none;
    return true;
  }
  return l.source(1, Reading::integer);
}

/// SYNCS, from sm_90 on: operations on an 8-byte barrier in shared memory (mbarrier).
bool memory_barrier(Lowering& l) {
  const std::string_view text = l.kernel().text_of(l.instruction());
  const auto is = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (is(".CCTL")) {
    l.op.operation = Operation::none;
    return true;
  }
  if (is(".ARRIVE")) return arrive_with(l, text);
  l.op.space = MemorySpace::shared;
  l.op.bytes = 8;
  if (is(".PHASECHK")) {
    // .TRYWAIT suspends the warp until the phase is over, or for a time that is not followed here.
    const bool waits = is(".TRYWAIT");
    l.op.operation = waits ? Operation::wait_phase : Operation::check_phase;
    l.set(flag::own_unknown);
    l.set(flag::gives_way, !waits);
    return l.predicate_out(0) && address(l, 0) && l.source(1, Reading::integer);
  }
  l.op.operation = Operation::init_phase;
  l.op.type = ValueType::u64;
  l.op.atomic = AtomicOperator::exchange;
  l.set(flag::own_unknown);
  if (!is(".EXCH.64") || !l.destination()) return false;
  l.set(flag::returns, l.op.destination != cell::sink);
  return address(l, 0) && l.source(1, Reading::integer);
}

/// LDGSTS [shared], [global]: the shared address is source 1 with `second` as offset.
bool copy_to_shared(Lowering& l) {
  l.op.operation = Operation::copy_to_shared;
  access_shape(l);
  l.op.space = MemorySpace::global;
  const Operand* shared = l.take();
  if (shared == nullptr || shared->kind != OperandKind::memory) return false;
  if (shared->base != no_register) l.op.source[1].cell = l.general_cell(shared->base);
  if (shared->uniform_base != no_register)
    l.op.source[2].cell = l.uniform_cell(shared->uniform_base);
  l.op.second = static_cast<std::uint32_t>(shared->value);
  l.set(flag::merge, l.has(modifier::zfill));
  if (!address(l, 0)) return false;
  return l.left() == 0 || l.predicate_in(0);
}

bool load_matrix(Lowering& l) {
  l.op.operation = Operation::load_matrix;
  access_shape(l);
  l.op.space = MemorySpace::shared;
  l.op.bytes = 16;
  l.set(flag::left, l.has(modifier::mt88));
  if (!l.destination() || !address(l, 0)) return false;
  l.op.second = l.has(modifier::n4) ? 4 : (l.has(modifier::n2) ? 2 : 1);
  return true;
}

/// STSM.16.M88.4 [R5], R8.
bool store_matrix(Lowering& l) {
  l.op.operation = Operation::store_matrix;
  access_shape(l);
  l.op.space = MemorySpace::shared;
  l.op.bytes = 16;
  l.set(flag::left, l.has(modifier::mt88));
  if (!address(l, 0) || !l.source(1, Reading::integer)) return false;
  l.op.second = l.has(modifier::n4) ? 4 : (l.has(modifier::n2) ? 2 : 1);
  return true;
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"LD", load},
    {"LDG", load},
    {"LDS", load},
    {"LDL", load},
    {"LDU", load},
    {"ST", store},
    {"STG", store},
    {"STS", store},
    {"STL", store},
    {"LDSLK", load_locked},
    {"STSCUL", store_unlock},
    {"LDC", load_constant},
    {"ULDC", load_constant},
    {"LDCU", load_constant},
    {"ATOM", atomic},
    {"ATOMG", atomic},
    {"ATOMS", atomic},
    {"ARRIVES", arrive_after_copies},
    {"RED", atomic},
    {"REDG", atomic},
    {"QSPC", query_space},
    {"SYNCS", memory_barrier},
    {"LDGSTS", copy_to_shared},
    {"LDSM", load_matrix},
    {"STSM", store_matrix},
});

}  // namespace

std::span<const LoweringRule> memory_rules() {
  return rules;
}

}  // namespace forewarp::execution
