// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Operands and destinations; opcodes are handled in the semantics_*.cpp files.
#include "analysis/semantics.h"

#include <string_view>
#include <utility>

#include "analysis/launch_constants.h"
#include "program/modifier.h"

namespace forewarp::analysis {
namespace {

UnknownReason reason_for(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_global:
    case InstructionClass::load_shared:
    case InstructionClass::load_local:
    case InstructionClass::load_generic:
    case InstructionClass::load_constant:
    case InstructionClass::load_matrix:
    case InstructionClass::atomic_global:
    case InstructionClass::atomic_shared:
    case InstructionClass::texture:
    case InstructionClass::surface_load:
    case InstructionClass::uniform_load_constant:
      return UnknownReason::load;
    case InstructionClass::special_move:
    case InstructionClass::special_move_fast:
    case InstructionClass::to_uniform:
      return UnknownReason::special_register;
    case InstructionClass::vote:
    case InstructionClass::uniform_vote:
    case InstructionClass::match:
    case InstructionClass::warp_reduce:
    case InstructionClass::shuffle:
    case InstructionClass::barrier_result:
      return UnknownReason::warp;
    default:
      return UnknownReason::not_modelled;
  }
}

bool is_unsigned_type(std::string_view type) {
  return type.find("unsigned") != std::string_view::npos || type.starts_with("uint") ||
         type.starts_with("size_t") || type == "u32" || type == "u64" || type == "bool";
}

}  // namespace

Semantics::Semantics(SemanticContext& context, MachineState& state, std::uint32_t index)
    : context_(context),
      pool_(context.pool),
      kernel_(context.kernel),
      instruction_(context.kernel.instructions[index]),
      operands_(context.kernel.operands_of(instruction_)),
      state_(state),
      index_(index) {
  guard_ =
      read(instruction_.guard_uniform ? RegisterFile::uniform_predicate : RegisterFile::predicate,
           instruction_.guard);
  if (instruction_.guard_negated) guard_ = pool_.logical_not(guard_);
}

void Semantics::execute() {
  if (instruction_.dead()) return;
  if (const Handler handler = handler_of(instruction_.opcode); handler != nullptr) {
    (this->*handler)();
    if (!failed_) return;
  }
  forget_destinations();
}

Expression Semantics::takes_effect() {
  if (instruction_.dead()) return pool_.constant(0);
  // .ANY: as one of the warp's lanes says.
  const bool by_warp = has(modifier::any) && !pool_.constant_value(guard_);
  Expression effect = by_warp ? pool_.unknown(UnknownReason::warp, index_, no_slot) : guard_;
  for (std::size_t i = 0; i < operand_total(); ++i) {
    const Operand& o = operand(i);
    if (is_predicate(i)) {
      effect = pool_.logical_and(effect, predicate_value(i));
    } else if (o.kind == OperandKind::condition_code ||
               (o.kind == OperandKind::uniform_register && has(modifier::div))) {
      effect = pool_.logical_and(effect, pool_.unknown(UnknownReason::warp, index_, no_slot));
    }
  }
  return effect;
}

bool Semantics::is_predicate(std::size_t i) const {
  return i < operand_total() && (operand(i).kind == OperandKind::predicate ||
                                 operand(i).kind == OperandKind::uniform_predicate);
}

std::size_t Semantics::leading_predicates(std::size_t from) const {
  std::size_t count = 0;
  while (is_predicate(from + count)) ++count;
  return count;
}

Expression Semantics::read(RegisterFile file, std::uint32_t number) {
  switch (file) {
    case RegisterFile::general:
      if (number == zero_register) return pool_.constant(0);
      break;
    case RegisterFile::uniform:
      if (number == zero_uniform_register) return pool_.constant(0);
      break;
    case RegisterFile::predicate:
    case RegisterFile::uniform_predicate:
      if (number == true_predicate) return pool_.constant(1);
      break;
    default:
      break;
  }
  const Slot slot = context_.slots.of(file, number);
  if (slot == no_slot) return pool_.unknown(UnknownReason::entry, index_, number);
  // A guarded instruction's inputs matter only where its guard holds.
  const Expression value = state_.value[slot];
  return instruction_.guarded() && guard_ != 0 ? pool_.assume(value, guard_, true) : value;
}

Expression Semantics::register_value(const Operand& o, std::uint32_t part) {
  const bool uniform = o.kind == OperandKind::uniform_register;
  if (o.is_zero_register()) return pool_.constant(0);
  return read(uniform ? RegisterFile::uniform : RegisterFile::general, o.index + part);
}

/// The word at a byte offset of a constant bank: a launch extent, (half of) a parameter, or an
/// atom.
Expression Semantics::bank_word(std::uint32_t bank, std::int64_t offset) {
  if (offset < 0 || offset > 0xffff || offset % 4 != 0) {
    return pool_.unknown(UnknownReason::load, index_, no_slot);
  }
  const auto at = static_cast<std::uint32_t>(offset);
  if (bank != 0) return pool_.constant_bank(bank, at, 4);
  if (at >= kernel_.parameter_base) {
    const std::uint32_t inside = at - kernel_.parameter_base;
    for (const Parameter& p : kernel_.parameters) {
      if (inside < p.offset || inside >= p.offset + p.size) continue;
      const bool is_signed = !p.pointer && !is_unsigned_type(p.type);
      if (p.size != 8 || p.offset % 8 != 0) return pool_.parameter(inside, 4, is_signed);
      const Expression whole = pool_.parameter(p.offset, 8, true);
      return inside == p.offset ? whole : pool_.high_word(whole);
    }
  }
  if (const auto symbol = launch_constant(kernel_.sm, at)) return pool_.launch(*symbol);
  return pool_.constant_bank(0, at, 4);
}

Expression Semantics::constant_operand(const Operand& o, std::uint32_t word) {
  const bool indexed = (o.base != no_register && o.base != zero_register) ||
                       (o.uniform_base != no_register && o.uniform_base != zero_uniform_register) ||
                       o.descriptor != no_register;
  if (!indexed) return bank_word(o.index, o.value + 4 * std::int64_t{word});
  Expression at = pool_.constant(o.value);
  if (o.base != no_register) at = pool_.add(at, read(RegisterFile::general, o.base));
  if (o.uniform_base != no_register)
    at = pool_.add(at, read(RegisterFile::uniform, o.uniform_base));
  if (const auto fixed = pool_.constant_value(at); fixed && o.descriptor == no_register) {
    return bank_word(o.index, *fixed + 4 * std::int64_t{word});
  }
  return pool_.unknown(UnknownReason::load, index_, word);
}

Expression Semantics::plain_value(const Operand& o, bool wide) {
  switch (o.kind) {
    case OperandKind::register_:
    case OperandKind::uniform_register: {
      if (o.part != Part::whole || o.absolute) break;
      const Expression low = register_value(o, 0);
      return wide && !o.is_zero_register() ? pool_.join(low, register_value(o, 1)) : low;
    }
    case OperandKind::integer:
      return wide ? pool_.constant(o.value) : pool_.residue(pool_.constant(o.value));
    case OperandKind::constant: {
      if (o.part != Part::whole || o.absolute) break;
      const Expression low = constant_operand(o, 0);
      return wide ? pool_.join(low, constant_operand(o, 1)) : low;
    }
    default:
      break;
  }
  return pool_.unknown(UnknownReason::not_modelled, index_, no_slot);
}

Expression Semantics::bare_value(Operand o) {
  o.part = Part::whole;
  o.absolute = false;
  switch (o.kind) {
    case OperandKind::memory:
      return address(o);
    case OperandKind::predicate:
      return read(RegisterFile::predicate, o.index);
    case OperandKind::uniform_predicate:
      return read(RegisterFile::uniform_predicate, o.index);
    case OperandKind::register_:
    case OperandKind::uniform_register:
    case OperandKind::constant:
      return plain_value(o, false);
    default:
      return 0;
  }
}

Expression Semantics::operand_value(std::size_t position, bool wide) {
  if (position >= operand_total()) return 0;
  const Operand& o = operand(position);
  if (is_predicate(position)) return predicate_value(position);
  if (o.kind == OperandKind::memory) return address(o);
  Expression value = plain_value(o, wide);
  if (o.negate) value = pool_.negate(value);
  if (o.invert) value = pool_.offset(pool_.negate(value), -1);
  return wide ? value : pool_.residue(value);
}

/// The exact byte address: a register pair has 64 bits, a single register wraps at 32.
Expression Semantics::address(const Operand& o) {
  Expression sum = pool_.constant(0);
  if (o.base != no_register && o.base != zero_register) {
    Expression base = read(RegisterFile::general, o.base);
    if (o.wide) base = pool_.join(base, read(RegisterFile::general, o.base + 1u));
    if (o.unsigned_base) base = pool_.zero_extend(base);
    sum = pool_.scale(base, o.scale);
  }
  const bool wide = o.wide || o.unsigned_base;
  if (o.uniform_base != no_register && o.uniform_base != zero_uniform_register) {
    Expression base = read(RegisterFile::uniform, o.uniform_base);
    if (wide) base = pool_.join(base, read(RegisterFile::uniform, o.uniform_base + 1u));
    sum = pool_.add(sum, base);
  }
  sum = pool_.offset(sum, o.value);
  return wide ? sum : pool_.zero_extend(pool_.residue(sum));
}

Expression Semantics::predicate_value(std::size_t i) {
  if (!is_predicate(i)) return pool_.constant(1);
  const Operand& o = operand(i);
  const Expression value = read(
      o.kind == OperandKind::predicate ? RegisterFile::predicate : RegisterFile::uniform_predicate,
      o.index);
  return o.invert ? pool_.logical_not(value) : value;
}

Expression Semantics::carry_addend(std::size_t i, int& negated) {
  const Operand& o = operand(i);
  const Expression value = pool_.zero_extend(pool_.residue(plain_value(o, false)));
  if (!o.negate) {
    return o.invert ? pool_.zero_extend(source(i)) : value;
  }
  ++negated;
  return pool_.negate(value);
}

Expression Semantics::condition_code_carry() {
  return pool_.high_word(read(RegisterFile::condition_code, 0));
}

Expression Semantics::extended(Expression value, bool is_unsigned) {
  return is_unsigned ? pool_.zero_extend(value) : pool_.sign_extend(value);
}

void Semantics::write(RegisterFile file, std::uint32_t number, Expression value) {
  const Slot slot = context_.slots.of(file, number);
  if (slot == no_slot) return;
  const bool always = !instruction_.guarded();
  state_.value[slot] = always ? value : pool_.select(guard_, value, state_.value[slot]);
  state_.definition[slot].code = index_;
}

void Semantics::set(std::size_t i, Expression value) {
  if (i >= operand_total()) return;
  const Operand& o = operand(i);
  if (o.kind != OperandKind::register_ && o.kind != OperandKind::uniform_register) return;
  if (o.is_zero_register()) return;
  const bool uniform = o.kind == OperandKind::uniform_register;
  write(uniform ? RegisterFile::uniform : RegisterFile::general, o.index, pool_.residue(value));
}

void Semantics::set_pair(std::size_t i, Expression value) {
  if (i >= operand_total()) return;
  const Operand& o = operand(i);
  if (o.kind != OperandKind::register_ && o.kind != OperandKind::uniform_register) return;
  if (o.is_zero_register()) return;
  const RegisterFile file =
      o.kind == OperandKind::uniform_register ? RegisterFile::uniform : RegisterFile::general;
  write(file, o.index, pool_.residue(value));
  write(file, o.index + 1u, pool_.residue(pool_.high_word(value)));
}

void Semantics::set_truth(std::size_t i, Expression value) {
  if (!is_predicate(i) || operand(i).index == true_predicate) return;
  write(operand(i).kind == OperandKind::predicate ? RegisterFile::predicate
                                                  : RegisterFile::uniform_predicate,
        operand(i).index, value);
}

void Semantics::set_condition_code(Expression unreduced) {
  write(RegisterFile::condition_code, 0, unreduced);
}

void Semantics::forget_destinations() {
  const UnknownReason reason = reason_for(instruction_.instruction_class);
  const Roles roles = roles_of(kernel_, instruction_);
  for (const RegisterRange& range : roles.written()) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const Slot slot = context_.slots.of(range.file, range.first + i);
      if (slot == no_slot) continue;
      write(range.file, range.first + i, pool_.unknown(reason, index_, slot));
    }
  }
}

}  // namespace forewarp::analysis
