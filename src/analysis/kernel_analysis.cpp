// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_analysis.h"

#include "analysis/expression_text.h"
#include "analysis/unknown_text.h"

namespace forewarp::analysis {

KernelAnalysis analyze(const Kernel& kernel) {
  return KernelAnalysis(kernel);
}

KernelAnalysis::KernelAnalysis(const Kernel& kernel)
    : kernel_(&kernel),
      flow_(kernel),
      dominators_(flow_, Dominators::Direction::forward),
      post_dominators_(flow_, Dominators::Direction::backward),
      loops_(kernel, flow_, dominators_),
      values_(facts(), pool_),
      solver_(facts(), values_, pool_),
      mixes_(block_mixes(kernel, flow_)) {
  for (const LoopTrip& trip : solver_.trips()) {
    trip_programs_.emplace_back(pool_, trip.trips);
  }
  resolve_operands();
  resolve_conditions();
  collect_addresses();
}

LoopId KernelAnalysis::loop_of(std::uint32_t instruction) const {
  return loops_.innermost(flow_.block_of(instruction));
}

void KernelAnalysis::resolve_operands() {
  operands_.assign(kernel_->operands.size(), 0);
  for (const BasicBlock& block : flow_.blocks()) {
    const LoopId loop = loop_of(block.first);
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& instruction = kernel_->instructions[i];
      for (std::uint32_t o = 0; o < instruction.operand_count; ++o) {
        const std::uint32_t at = instruction.first_operand + o;
        operands_[at] = solver_.resolve(facts(), pool_, values_.operand(at), loop);
      }
    }
  }
}

void KernelAnalysis::resolve_conditions() {
  condition_of_.assign(kernel_->instructions.size(), 0);
  for (const BasicBlock& block : flow_.blocks()) {
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Expression effect = values_.effect(i);
      if (effect == 0 && !kernel_->instructions[i].guarded()) continue;
      if (kernel_->instructions[i].dead()) continue;
      Condition& condition = conditions_.emplace_back();
      condition.effect = solver_.resolve(facts(), pool_, effect, loop_of(i));
      condition.program = CompiledExpression(pool_, condition.effect);
      condition.reason = unknown_text(facts(), pool_, condition.effect);
      condition_of_[i] = static_cast<std::uint32_t>(conditions_.size());
    }
  }
}

void KernelAnalysis::collect_addresses() {
  address_of_.assign(kernel_->instructions.size(), 0);
  for (const BasicBlock& block : flow_.blocks()) {
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& instruction = kernel_->instructions[i];
      for (std::uint32_t o = 0; o < instruction.operand_count; ++o) {
        const std::uint32_t at = instruction.first_operand + o;
        if (kernel_->operands[at].kind != OperandKind::memory) continue;
        AddressForm& form = addresses_.emplace_back();
        form.instruction = i;
        form.operand = at;
        form.value = operands_[at];
        form.reason = unknown_text(facts(), pool_, form.value);
        make_affine(pool_, form);
        if (address_of_[i] == 0) address_of_[i] = static_cast<std::uint32_t>(addresses_.size());
      }
    }
  }
}

std::string KernelAnalysis::trip_text(LoopId loop) const {
  return trip(loop).known ? text(trip(loop).trips) : std::string();
}

std::string KernelAnalysis::pass_text(LoopId loop) const {
  const LoopTrip& count = trip(loop);
  if (!count.known) return {};
  return text(count.exit_block == loops_.all()[loop].header ? count.trips : count.passes);
}

const Condition* KernelAnalysis::condition(std::uint32_t instruction) const {
  const std::uint32_t number = condition_of_[instruction];
  return number == 0 ? nullptr : &conditions_[number - 1];
}

const AddressForm* KernelAnalysis::address(std::uint32_t instruction) const {
  const std::uint32_t number = address_of_[instruction];
  return number == 0 ? nullptr : &addresses_[number - 1];
}

std::vector<std::uint32_t> KernelAnalysis::definitions(std::uint32_t instruction, RegisterFile file,
                                                       std::uint32_t number) const {
  return values_.definitions(facts(), instruction, values_.slots().of(file, number));
}

std::string KernelAnalysis::text(Expression e) const {
  return expression_text(*kernel_, pool_, e);
}

}  // namespace forewarp::analysis
