// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/lowering.h"

#include <bit>

#include "program/opcode_words.h"

namespace forewarp::execution {

void Lowering::begin(std::uint32_t index) {
  instruction_ = &kernel_.instructions[index];
  operands_ = kernel_.operands_of(*instruction_);
  next_ = 0;
  op = MicroOp{};
  const std::uint8_t first = instruction_->guard_uniform ? predicate::uniform : 0;
  op.guard = static_cast<std::uint8_t>(first + instruction_->guard);
  op.guard_flip = instruction_->guard_negated ? all_lanes : 0;
}

bool Lowering::says(std::string_view word) const {
  std::string_view text = opcode_text(kernel_, *instruction_);
  for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.')) {
    text.remove_prefix(at + 1);
    if (text.substr(0, text.find('.')) == word) return true;
  }
  return false;
}

const Operand* Lowering::peek(std::size_t ahead) const {
  return next_ + ahead < operands_.size() ? &operands_[next_ + ahead] : nullptr;
}

const Operand* Lowering::take() {
  const Operand* operand = peek();
  if (operand != nullptr) ++next_;
  return operand;
}

bool Lowering::at_predicate(std::size_t ahead) const {
  const Operand* operand = peek(ahead);
  return operand != nullptr && (operand->kind == OperandKind::predicate ||
                                operand->kind == OperandKind::uniform_predicate);
}

std::uint32_t Lowering::general_cell(std::uint16_t number) const {
  return number >= zero_register ? cell::zero : cell::general + number;
}

std::uint32_t Lowering::uniform_cell(std::uint16_t number) const {
  return number >= zero_uniform_register ? cell::zero : program_.uniform_cell + number;
}

std::uint32_t Lowering::register_cell(const Operand& operand) const {
  return operand.kind == OperandKind::uniform_register ? uniform_cell(operand.index)
                                                       : general_cell(operand.index);
}

std::uint8_t Lowering::predicate_place(const Operand& operand) {
  const std::uint8_t first =
      operand.kind == OperandKind::uniform_predicate ? predicate::uniform : std::uint8_t{0};
  return static_cast<std::uint8_t>(first + operand.index);
}

bool Lowering::destination() {
  const Operand* operand = peek();
  if (operand == nullptr ||
      (operand->kind != OperandKind::register_ && operand->kind != OperandKind::uniform_register)) {
    return false;
  }
  ++next_;
  op.destination = operand->is_zero_register() ? cell::sink : register_cell(*operand);
  if (operand->kind == OperandKind::uniform_register) op.flags |= flag::uniform;
  if (operand->writes_cc) op.flags |= flag::set_code;
  return true;
}

void Lowering::set_uniform_destination(std::uint16_t number) {
  op.destination = number >= zero_uniform_register ? cell::sink : uniform_cell(number);
}

bool Lowering::predicate_out(unsigned index) {
  if (!at_predicate()) return false;
  const Operand* operand = take();
  const bool none = operand->index == true_predicate;
  op.predicate_out[index] = none ? predicate::sink : predicate_place(*operand);
  if (operand->kind == OperandKind::uniform_predicate) op.flags |= flag::uniform;
  return true;
}

bool Lowering::predicate_in(unsigned index) {
  if (!at_predicate()) return false;
  const Operand* operand = take();
  op.predicate_in[index] = predicate_place(*operand);
  op.predicate_invert[index] = operand->invert;
  return true;
}

bool Lowering::target() {
  const Operand* operand = peek();
  if (operand == nullptr ||
      (operand->kind != OperandKind::target && operand->kind != OperandKind::integer)) {
    return false;
  }
  ++next_;
  op.second =
      static_cast<std::uint32_t>(kernel_.index_at(static_cast<std::uint32_t>(operand->value)));
  return true;
}

std::uint32_t Lowering::pool_cell(PoolCell content) {
  const std::uint64_t key = std::uint64_t{content.bank} << 32 | content.value;
  const auto [at, added] = pool_.try_emplace(key, static_cast<std::uint32_t>(program_.pool.size()));
  if (added) program_.pool.push_back(content);
  return at->second;
}

std::uint32_t Lowering::pool_pair(PoolCell low, PoolCell high) {
  std::vector<PoolCell>& pool = program_.pool;
  for (std::size_t i = 0; i + 1 < pool.size(); ++i) {
    if (pool[i] == low && pool[i + 1] == high) return static_cast<std::uint32_t>(i);
  }
  pool.push_back(low);
  pool.push_back(high);
  return static_cast<std::uint32_t>(pool.size() - 2);
}

void Lowering::set_immediate(unsigned index, std::uint32_t value) {
  op.source[index] = {pool_cell({PoolCell::immediate, value}), true, false};
}

void Lowering::modify(unsigned index, const Operand& operand, Reading reading) {
  SourceModifier& m = op.modify[index];
  switch (reading) {
    case Reading::integer:
      if (operand.negate) m.flip = 0xffffffffU, m.add = 1;
      if (operand.invert) m.flip = 0xffffffffU;
      break;
    case Reading::carry_chain:
      if (operand.negate || operand.invert) m.flip = 0xffffffffU;
      break;
    case Reading::floating:
    case Reading::doubles:
      if (operand.absolute) m.keep = 0x7fffffffU;
      if (operand.negate) m.flip = 0x80000000U;
      break;
    case Reading::half:
      if (operand.absolute) m.keep = 0x7fff7fffU;
      if (operand.negate) m.flip = 0x80008000U;
      break;
  }
  const SourceModifier plain;
  op.source[index].modified = m.keep != plain.keep || m.flip != plain.flip || m.add != plain.add;
}

bool Lowering::constant_source(unsigned index, const Operand& operand, Reading reading) {
  if (operand.descriptor != no_register) return false;
  const bool indexed =
      (operand.base != no_register && operand.base != zero_register) ||
      (operand.uniform_base != no_register && operand.uniform_base != zero_uniform_register);
  modify(index, operand, reading);
  if (indexed) {
    // The constant is fetched into the scratch cells of a fourth operand just before the
    // instruction runs.
    op.uniform_cell = operand.uniform_base != no_register ? uniform_cell(operand.uniform_base)
                                                          : general_cell(operand.base);
    op.offset = operand.value;
    op.bank = static_cast<std::uint8_t>(operand.index);
    op.indexed_constant = true;
    op.source[index].cell = cell::scratch + 6;
    return true;
  }
  const auto offset = static_cast<std::uint32_t>(operand.value);
  const PoolCell low{operand.index, offset};
  op.source[index].pool = true;
  op.source[index].cell =
      reading == Reading::doubles ? pool_pair(low, {operand.index, offset + 4}) : pool_cell(low);
  return true;
}

void Lowering::literal_source(unsigned index, const Operand& operand, Reading reading) {
  const auto bits = static_cast<std::uint64_t>(operand.value);
  auto word = static_cast<std::uint32_t>(bits);
  if (operand.kind == OperandKind::floating) {
    word = reading == Reading::doubles
               ? static_cast<std::uint32_t>(bits >> 32)
               : std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  modify(index, operand, reading);
  op.source[index].pool = true;
  if (reading == Reading::doubles) {
    op.source[index].cell = pool_pair({PoolCell::immediate, 0}, {PoolCell::immediate, word});
  } else {
    op.source[index].cell = pool_cell({PoolCell::immediate, word});
  }
}

bool Lowering::source(unsigned index, Reading reading) {
  const Operand* operand = peek();
  if (operand == nullptr) return false;
  op.source[index] = Source{};
  op.modify[index] = SourceModifier{};
  switch (operand->kind) {
    case OperandKind::register_:
    case OperandKind::uniform_register:
      op.source[index].cell = register_cell(*operand);
      modify(index, *operand, reading);
      break;
    case OperandKind::integer:
    case OperandKind::floating:
      literal_source(index, *operand, reading);
      break;
    case OperandKind::constant:
      if (!constant_source(index, *operand, reading)) return false;
      break;
    default:
      return false;
  }
  ++next_;
  return true;
}

void Lowering::widen(unsigned index, const Operand& operand) {
  if (operand.kind == OperandKind::constant && !op.indexed_constant) {
    const auto offset = static_cast<std::uint32_t>(operand.value);
    op.source[index].cell = pool_pair({operand.index, offset}, {operand.index, offset + 4});
  } else if (operand.kind == OperandKind::integer) {
    const auto word = static_cast<std::uint32_t>(operand.value);
    const std::uint32_t sign = (word >> 31) != 0 ? 0xffffffffU : 0U;
    op.source[index].cell = pool_pair({PoolCell::immediate, word}, {PoolCell::immediate, sign});
  }
}

LowerFunction lowering_of(Opcode opcode) {
  static const std::vector<LowerFunction> functions = [] {
    std::vector<LowerFunction> result(opcode_count(), nullptr);
    for (const auto rules : {integer_rules(), video_rules(), bit_rules(), predicate_rules(),
                             float_rules(), conversion_rules(), warp_rules(), matrix_rules(),
                             memory_rules(), fetch_rules(), async_rules(), flow_rules()}) {
      for (const LoweringRule& rule : rules) result[find_opcode(rule.mnemonic)] = rule.lower;
    }
    return result;
  }();
  return functions[opcode];
}

Comparison comparison_of(const Instruction& instruction) {
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    switch (instruction.modifiers[i]) {
      case modifier::lt:
        return Comparison::less;
      case modifier::eq:
        return Comparison::equal;
      case modifier::le:
        return Comparison::less_equal;
      case modifier::gt:
        return Comparison::greater;
      case modifier::ne:
        return Comparison::not_equal;
      case modifier::ge:
        return Comparison::greater_equal;
      case modifier::num:
        return Comparison::ordered;
      case modifier::nan:
        return Comparison::unordered;
      case modifier::ltu:
        return Comparison::less_u;
      case modifier::leu:
        return Comparison::less_equal_u;
      case modifier::gtu:
        return Comparison::greater_u;
      case modifier::neu:
        return Comparison::not_equal_u;
      case modifier::geu:
        return Comparison::greater_equal_u;
      case modifier::t:
        return Comparison::always;
      case modifier::min:
        return Comparison::minimum;
      case modifier::max:
        return Comparison::maximum;
      default:
        break;
    }
  }
  return Comparison::never;
}

Comparison comparison_or_greater(const Instruction& instruction) {
  const Comparison named = comparison_of(instruction);
  return named == Comparison::never ? Comparison::greater : named;
}

BooleanOperator boolean_of(const Instruction& instruction, unsigned nth) {
  unsigned seen = 0;
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const Modifier m = instruction.modifiers[i];
    if (m != modifier::and_ && m != modifier::or_ && m != modifier::xor_) continue;
    if (seen++ < nth) continue;
    if (m == modifier::or_) return BooleanOperator::or_;
    if (m == modifier::xor_) return BooleanOperator::xor_;
    return BooleanOperator::and_;
  }
  return BooleanOperator::and_;
}

Rounding rounding_of(const Instruction& instruction) {
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    switch (instruction.modifiers[i]) {
      case modifier::rm:
      case modifier::floor:
        return Rounding::down;
      case modifier::rp:
      case modifier::ceil:
        return Rounding::up;
      case modifier::rz:
      case modifier::trunc:
        return Rounding::zero;
      default:
        break;
    }
  }
  return Rounding::nearest;
}

}  // namespace forewarp::execution
