// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "execution/lowering/kernel_lowering.h"
#include "execution/lowering/lowering.h"
#include "execution/state/divergence.h"
#include "program/outside_function.h"

namespace forewarp::execution {
namespace {

constexpr std::uint16_t outside_result = 4;  // the register of what functions outside return

/// The lanes for which a flow instruction takes effect: those of its guard and, if present, of a
/// predicate or condition-code test (flag `extended`; truth table in MicroOp::immediate).
bool condition(Lowering& l) {
  const Operand* operand = l.peek();
  if (l.at_predicate()) {
    l.set(flag::extended);
    l.op.immediate = 0xf0;
    return l.predicate_in(0);
  }
  if (operand == nullptr || operand->kind != OperandKind::condition_code) return true;
  l.take();
  l.set(flag::extended);
  l.op.predicate_in = {predicate::carry, predicate::is_zero, predicate::is_negative};
  switch (static_cast<Modifier>(operand->value)) {
    case modifier::eq:
      l.op.immediate = 0xcc;
      return true;
    case modifier::ne:
    case modifier::neu:
      l.op.immediate = 0x33;
      return true;
    case modifier::lt:
      l.op.immediate = 0xaa;
      return true;
    case modifier::ge:
      l.op.immediate = 0x55;
      return true;
    case modifier::gt:
      l.op.immediate = 0x11;
      return true;
    case modifier::le:
      l.op.immediate = 0xee;
      return true;
    default:
      return false;
  }
}

bool branch(Lowering& l) {
  l.op.operation = Operation::branch;
  if (l.has(modifier::div) || l.has(modifier::conv)) {
    // BRA.DIV ~URZ, target: by whether all lanes of the mask, or of the warp, are active here.
    l.op.operation = Operation::branch_divergent;
    l.set(flag::position, l.has(modifier::conv));
    if (l.left() == 1) l.set_immediate(0, all_lanes);
    return (l.left() == 1 || l.source(0, Reading::integer)) && l.target();
  }
  // @P0 BRA.U.ANY: the whole warp goes where one of its lanes would.
  l.set(flag::any_lane, l.has(modifier::u) && l.has(modifier::any));
  return condition(l) && l.target();
}

/// BRX R6 -0x160 jumps to the next address plus offset plus register; JMX to offset plus register.
bool branch_indirect(Lowering& l) {
  l.op.operation = Operation::branch_indirect;
  const bool relative = l.mnemonic() == "BRX" || l.mnemonic() == "BRXU";
  if (!condition(l) || !l.source(0, Reading::integer)) return false;
  const Operand* offset = l.peek();
  const std::uint32_t size = l.sm() >= 70 ? 16 : 8;
  if (offset != nullptr &&
      (offset->kind == OperandKind::integer || offset->kind == OperandKind::target)) {
    l.op.offset = offset->value;
  }
  if (relative) l.op.offset += l.instruction().address + size;
  if (l.mnemonic() == "JMX" && l.sm() < 70) {  // may call what is outside
    l.set(flag::own_unknown);
    l.op.destination = l.general_cell(outside_result);
  }
  return true;
}

/// A call of a function outside the kernel (printf, malloc, assertion messages), whose address the
/// linker fills in or a table holds: MicroOp::second says which one it is, or the register of
/// source 0 has its address. The result is returned in R4 and R5.
bool outside_call(Lowering& l, const Operand& target) {
  l.op.operation = Operation::outside_call;
  if (target.kind == OperandKind::word) {
    l.op.second = static_cast<std::uint32_t>(outside_function(l.kernel().text_of(target)));
  } else if (target.kind == OperandKind::register_ && !l.source(0, Reading::integer)) {
    return false;
  }
  l.set(flag::own_unknown);
  l.op.destination = l.general_cell(outside_result);
  return true;
}

bool leaves_kernel(const Lowering& l, const Operand& target) {
  if (target.kind == OperandKind::target) return false;
  if (l.sm() >= 70) return l.has(modifier::abs);
  return l.mnemonic() == "JCAL" && target.kind != OperandKind::register_ && target.value == 0;
}

bool call(Lowering& l) {
  l.op.operation = Operation::call;
  const Operand* operand = l.peek();
  if (operand == nullptr) return false;
  if (l.sm() >= 70 && l.has(modifier::abs) && operand->kind == OperandKind::register_ &&
      holds_functions(l.kernel())) {
    if (!outside_call(l, *operand)) return false;
    l.op.operation = Operation::call_indirect;
    return true;
  }
  if (leaves_kernel(l, *operand)) return outside_call(l, *operand);
  if (operand->kind == OperandKind::register_ || operand->kind == OperandKind::uniform_register) {
    l.op.operation = Operation::call_indirect;
    return l.source(0, Reading::integer);
  }
  return l.target();
}

bool return_(Lowering& l) {
  l.op.operation = Operation::return_;
  if (l.sm() < 70) return true;
  l.op.operation = Operation::return_indirect;
  return l.source(0, Reading::integer);
}

bool push(Lowering& l, TokenKind kind) {
  l.op.operation = Operation::push;
  l.op.immediate = static_cast<std::uint32_t>(kind);
  return l.target();
}

bool push_reconvergence(Lowering& l) {
  return push(l, TokenKind::reconverge);
}

bool push_break(Lowering& l) {
  return push(l, TokenKind::loop_break);
}

bool push_next(Lowering& l) {
  return push(l, TokenKind::loop_next);
}

bool push_return(Lowering& l) {
  return push(l, TokenKind::call);
}

bool pop(Lowering& l) {
  l.op.operation = Operation::pop;
  return condition(l);
}

bool leave(Lowering& l, TokenKind kind) {
  l.op.operation = Operation::leave;
  l.op.second = static_cast<std::uint32_t>(kind);
  return condition(l);
}

bool leave_loop(Lowering& l) {
  return leave(l, TokenKind::loop_break);
}

bool next_pass(Lowering& l) {
  return leave(l, TokenKind::loop_next);
}

bool convergence_register(Lowering& l) {
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::convergence) return false;
  l.op.immediate = operand->index;
  return true;
}

bool converge_begin(Lowering& l) {
  l.op.operation = Operation::converge_begin;
  return convergence_register(l) && l.target();
}

/// BSYNC [P,] B and BREAK [P,] B: the register's number is MicroOp::second, as the condition has
/// the other place.
bool converge(Lowering& l, Operation operation) {
  l.op.operation = operation;
  if (!condition(l)) return false;
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::convergence) return false;
  l.op.second = operand->index;
  return true;
}

bool converge_end(Lowering& l) {
  return converge(l, Operation::converge_end);
}

bool converge_leave(Lowering& l) {
  return converge(l, Operation::converge_leave);
}

bool converge_lanes(Lowering& l) {
  l.op.operation = Operation::converge_lanes;
  l.op.second = l.has(modifier::exclusive) ? 1 : 0;
  const Operand* mask = l.peek();
  if (mask == nullptr || mask->kind == OperandKind::target || l.has(modifier::all)) {
    l.set_immediate(0, all_lanes);
    return true;
  }
  return l.source(0, Reading::integer);
}

bool yield(Lowering& l) {
  l.op.operation = Operation::yield;
  return true;
}

bool exit(Lowering& l) {
  l.op.operation = Operation::exit;
  return condition(l);
}

/// What BAR does, in MicroOp::second.
enum : std::uint32_t { barrier_sync, barrier_arrive, reduce_count, reduce_and, reduce_or };

/// BAR.SYNC id [, threads], BAR.ARV, BAR.RED.OP id [, threads], p.
bool barrier(Lowering& l) {
  l.op.operation = Operation::barrier;
  l.op.second = l.has(modifier::arv) ? barrier_arrive : barrier_sync;
  if (l.has(modifier::red)) {
    l.op.second = reduce_count;
    if (l.has(modifier::and_)) l.op.second = reduce_and;
    if (l.has(modifier::or_)) l.op.second = reduce_or;
  }
  const std::string_view text = l.kernel().text_of(l.instruction());
  if (text.find("SYNCALL") != std::string_view::npos) {
    l.set_immediate(0, 0);
    return true;
  }
  if (!l.source(0, Reading::integer)) return false;
  l.set_immediate(1, 0);
  const Operand* number = l.operands().data();
  if (l.peek() != nullptr && !l.at_predicate()) {
    // BAR.SYNC R7, R7: one register holds the barrier's number and the thread count.
    l.set(flag::packed, number->kind == OperandKind::register_ &&
                            l.peek()->kind == OperandKind::register_ &&
                            number->index == l.peek()->index && !number->is_zero_register());
    if (!l.source(1, Reading::integer)) return false;
  }
  return !l.at_predicate() || l.predicate_in(0);
}

bool trap(Lowering& l) {
  l.op.operation = Operation::trap;
  return true;
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"BRA", branch},
    {"JMP", branch},
    {"BRX", branch_indirect},
    {"BRXU", branch_indirect},
    {"JMX", branch_indirect},
    {"JMXU", branch_indirect},
    {"CAL", call},
    {"JCAL", call},
    {"CALL", call},
    {"PRET", push_return},
    {"RET", return_},
    {"SSY", push_reconvergence},
    {"PBK", push_break},
    {"PCNT", push_next},
    {"SYNC", pop},
    {"BRK", leave_loop},
    {"CONT", next_pass},
    {"BSSY", converge_begin},
    {"BSYNC", converge_end},
    {"BREAK", converge_leave},
    {"WARPSYNC", converge_lanes},
    {"YIELD", yield},
    {"EXIT", exit},
    {"BAR", barrier},
    {"BPT", trap},
});

}  // namespace

std::span<const LoweringRule> flow_rules() {
  return rules;
}

}  // namespace forewarp::execution
