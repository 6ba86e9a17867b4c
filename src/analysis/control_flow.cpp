// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/control_flow.h"

#include <algorithm>
#include <utility>

#include "analysis/flow_step.h"
#include "base/text.h"

namespace forewarp::analysis {

/// Walks the instructions from the entry with the stack of open SSY, PBK and PCNT regions, which
/// determines the targets of SYNC, BRK and CONT; then splits what it reached into blocks.
class ControlFlowBuilder {
 public:
  ControlFlowBuilder(const Kernel& kernel, ControlFlow& flow)
      : kernel_(kernel),
        flow_(flow),
        count_(static_cast<std::uint32_t>(kernel.instructions.size())) {}

  void build() {
    if (count_ == 0) return;
    steps_.reserve(count_);
    for (const Instruction& instruction : kernel_.instructions) {
      steps_.push_back(flow_step(kernel_, instruction));
    }
    turn_calls_into_jumps();
    state_.assign(count_, unvisited);
    leader_.assign(count_ + 1, false);
    is_routine_.assign(count_, false);
    add_routine(0);
    walk();
    while (claim_leftover()) walk();
    cut_blocks();
    connect();
    number_routines();
  }

 private:
  static constexpr std::uint32_t unvisited = 0xffffffff;
  static constexpr std::uint32_t empty_stack = 0;

  struct Region {
    FlowAction kind;
    std::uint32_t target;
    std::uint32_t parent;
  };
  struct Jump {
    std::uint32_t from, to;
    EdgeKind kind;
    bool conditional, when_taken;
  };

  /// From sm_70 on, compilers also use calls as far jumps, to code that never returns.
  void turn_calls_into_jumps() {
    constexpr std::uint32_t first_sm = 70;
    if (kernel_.sm < first_sm) return;
    const std::vector<bool> returns = find_returning();
    for (FlowStep& step : steps_) {
      if (step.action == FlowAction::call && !returns[step.target]) step.action = FlowAction::jump;
    }
  }

  /// Instructions from which a return is reachable within the routine.
  std::vector<bool> find_returning() const {
    std::vector<std::vector<std::uint32_t>> before(count_);
    std::vector<std::uint32_t> work;
    std::vector<bool> returns(count_, false);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const FlowStep& step = steps_[i];
      const bool jumps = step.action == FlowAction::jump && step.target < count_;
      if (jumps) before[step.target].push_back(i);
      const bool stops = step.action == FlowAction::jump || step.action == FlowAction::leave ||
                         step.action == FlowAction::give_back;
      if (i + 1 < count_ && (!stops || step.conditional)) before[i + 1].push_back(i);
      if (step.action == FlowAction::give_back || step.action == FlowAction::jump_indirect) {
        work.push_back(i);
        returns[i] = true;
      }
    }
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      for (const std::uint32_t i : before[at]) {
        if (returns[i]) continue;
        returns[i] = true;
        work.push_back(i);
      }
    }
    return returns;
  }

  void add_routine(std::uint32_t entry) {
    if (is_routine_[entry]) return;
    is_routine_[entry] = true;
    routine_entries_.push_back(entry);
    work_.push_back({entry, empty_stack});
    leader_[entry] = true;
  }

  void walk() {
    while (!work_.empty()) {
      auto [index, stack] = work_.back();
      work_.pop_back();
      while (index < count_ && state_[index] == unvisited) {
        state_[index] = stack;
        const FlowStep& step = steps_[index];
        if (step.action >= FlowAction::push_sync && step.action <= FlowAction::push_return) {
          regions_.push_back({step.action, step.target, stack});
          stack = static_cast<std::uint32_t>(regions_.size() - 1);
        } else if (step.ends_block() && !follow(index, stack)) {
          break;
        }
        ++index;
      }
    }
  }

  /// Records the targets of instruction `index`; false if the next instruction does not follow it.
  bool follow(std::uint32_t index, std::uint32_t stack) {
    const FlowStep& step = steps_[index];
    if (index + 1 <= count_) leader_[index + 1] = true;
    switch (step.action) {
      case FlowAction::jump:
        jump(index, step.target, EdgeKind::branch, stack);
        break;
      case FlowAction::jump_indirect:
        return follow_indirect(index, stack);
      case FlowAction::call:
        add_routine(step.target);
        return fall(index, false);
      case FlowAction::call_unknown:
        return fall(index, false);
      case FlowAction::pop_sync:
        return pop(index, stack, FlowAction::push_sync, EdgeKind::reconverge);
      case FlowAction::pop_break:
        return pop(index, stack, FlowAction::push_break, EdgeKind::loop_break);
      case FlowAction::pop_next:
        return pop(index, stack, FlowAction::push_next, EdgeKind::loop_next);
      default:
        break;
    }
    return step.conditional && fall(index, true);
  }

  void jump(std::uint32_t from, std::uint32_t to, EdgeKind kind, std::uint32_t stack) {
    if (to >= count_) {
      note(from, "leads out of the kernel's code");
      return;
    }
    leader_[to] = true;
    jumps_.push_back({from, to, kind, steps_[from].conditional, true});
    work_.push_back({to, stack});
  }

  bool fall(std::uint32_t from, bool conditional) {
    if (from + 1 >= count_) return false;
    jumps_.push_back({from, from + 1, EdgeKind::fallthrough, conditional, false});
    return true;
  }

  bool follow_indirect(std::uint32_t index, std::uint32_t stack) {
    std::uint32_t open = stack;
    while (open != empty_stack && regions_[open].kind != FlowAction::push_return) {
      open = regions_[open].parent;
    }
    if (open != empty_stack) {  // PRET with BRX: a call through a pointer
      jump(index, regions_[open].target, EdgeKind::fallthrough, regions_[open].parent);
      indirect_calls_.push_back(index);
      return false;
    }
    if (!follow_printed_targets(index, stack)) indirect_.push_back(index);
    return steps_[index].conditional && fall(index, true);
  }

  /// False if the listing does not name the targets of an indirect branch.
  bool follow_printed_targets(std::uint32_t index, std::uint32_t stack) {
    bool any = false;
    for (const Operand& operand : kernel_.operands_of(kernel_.instructions[index])) {
      if (operand.kind != OperandKind::target) continue;
      const auto to =
          static_cast<std::uint32_t>(kernel_.index_at(static_cast<std::uint32_t>(operand.value)));
      if (to >= count_) continue;
      any = true;
      leader_[to] = true;
      jumps_.push_back({index, to, EdgeKind::indirect, true, true});
      work_.push_back({to, stack});
    }
    return any;
  }

  bool pop(std::uint32_t index, std::uint32_t stack, FlowAction opener, EdgeKind kind) {
    std::uint32_t open = stack;
    while (open != empty_stack && regions_[open].kind != opener) open = regions_[open].parent;
    if (open == empty_stack) {
      if (!kernel_.instructions[index].pops_convergence) {
        note(index, "closes a region that nothing opened; taken to go on at the next instruction");
      }
      return fall(index, false);
    }
    jump(index, regions_[open].target, kind, regions_[open].parent);
    return steps_[index].conditional && fall(index, true);
  }

  /// Assigns the first piece of code that only an indirect branch can reach to the nearest such
  /// branch before it. One piece at a time, since the piece's own callees would look like further
  /// ones.
  bool claim_leftover() {
    if (indirect_.empty()) return false;
    std::sort(indirect_.begin(), indirect_.end());
    for (cursor_ = std::max(cursor_, indirect_.front() + 1); cursor_ < count_; ++cursor_) {
      const std::uint32_t i = cursor_;
      if (state_[i] != unvisited || state_[i - 1] == unvisited || is_padding(i)) continue;
      const auto after = std::upper_bound(indirect_.begin(), indirect_.end(), i);
      const std::uint32_t from = *(after - 1);
      leader_[i] = true;
      jumps_.push_back({from, i, EdgeKind::indirect, true, true});
      work_.push_back({i, state_[from]});
      return true;
    }
    return false;
  }

  bool is_padding(std::uint32_t index) const {
    const Instruction& instruction = kernel_.instructions[index];
    if (instruction.instruction_class == InstructionClass::no_operation) return true;
    const FlowStep& step = steps_[index];
    return step.action == FlowAction::jump && (step.target == index || step.target == index + 1);
  }

  void cut_blocks() {
    flow_.block_of_.assign(count_, no_block);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (state_[i] == unvisited) continue;
      const bool starts = leader_[i] || i == 0 || state_[i - 1] == unvisited;
      if (starts) {
        flow_.blocks_.emplace_back();
        flow_.blocks_.back().first = i;
      }
      flow_.blocks_.back().end = i + 1;
      flow_.block_of_[i] = static_cast<BlockId>(flow_.blocks_.size() - 1);
      ++flow_.instruction_count_;
    }
    for (BasicBlock& block : flow_.blocks_) {
      const FlowStep& step = steps_[block.end - 1];
      block.exits = step.action == FlowAction::leave;
      block.returns = step.action == FlowAction::give_back;
      block.calls_unknown = step.action == FlowAction::call_unknown ||
                            std::find(indirect_calls_.begin(), indirect_calls_.end(),
                                      block.end - 1) != indirect_calls_.end();
      if (step.action == FlowAction::call) block.callee = flow_.block_of_[step.target];
    }
  }

  void connect() {
    std::vector<ControlEdge> edges;
    for (const Jump& jump : jumps_) {
      edges.push_back({flow_.block_of_[jump.from], flow_.block_of_[jump.to], jump.kind,
                       jump.conditional, jump.when_taken});
    }
    for (BlockId b = 0; b < flow_.blocks_.size(); ++b) {
      const std::uint32_t end = flow_.blocks_[b].end;
      if (steps_[end - 1].ends_block() || end >= count_ || state_[end] == unvisited) continue;
      edges.push_back({b, flow_.block_of_[end], EdgeKind::fallthrough, false, false});
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [](const auto& a, const auto& b) { return a.from < b.from; });
    flow_.out_edges_ = edges;
    flow_.out_begin_ = offsets(edges, [](const ControlEdge& e) { return e.from; });
    std::stable_sort(edges.begin(), edges.end(),
                     [](const auto& a, const auto& b) { return a.to < b.to; });
    flow_.in_edges_ = std::move(edges);
    flow_.in_begin_ = offsets(flow_.in_edges_, [](const ControlEdge& e) { return e.to; });
  }

  template <typename Key>
  std::vector<std::uint32_t> offsets(const std::vector<ControlEdge>& edges, Key key) const {
    std::vector<std::uint32_t> begin(flow_.blocks_.size() + 1, 0);
    for (const ControlEdge& edge : edges) ++begin[key(edge) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    return begin;
  }

  void number_routines() {
    std::vector<bool> seen(flow_.blocks_.size(), false);
    for (const std::uint32_t entry : routine_entries_) {
      const BlockId block = flow_.block_of_[entry];
      const auto routine = static_cast<std::uint32_t>(flow_.routines_.size());
      flow_.routines_.push_back({block, 0});
      const std::size_t before = flow_.order_.size();
      if (!seen[block]) depth_first(block, routine, seen);
      std::reverse(flow_.order_.begin() + static_cast<std::ptrdiff_t>(before), flow_.order_.end());
      flow_.routines_[routine].block_count =
          static_cast<std::uint32_t>(flow_.order_.size() - before);
    }
  }

  void depth_first(BlockId root, std::uint32_t routine, std::vector<bool>& seen) {
    std::vector<std::pair<BlockId, std::uint32_t>> stack{{root, 0}};
    seen[root] = true;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      flow_.blocks_[block].routine = routine;
      const auto out = flow_.successors(block);
      if (next == out.size()) {
        flow_.order_.push_back(block);
        stack.pop_back();
        continue;
      }
      const BlockId to = out[next++].to;
      if (seen[to]) continue;
      seen[to] = true;
      stack.push_back({to, 0});
    }
  }

  void note(std::uint32_t index, std::string_view what) {
    const Instruction& instruction = kernel_.instructions[index];
    flow_.notes_.push_back("'" + std::string(kernel_.text_of(instruction)) + "' at " +
                           hex(instruction.address, 4) + " " + std::string(what));
  }

  const Kernel& kernel_;
  ControlFlow& flow_;
  std::uint32_t count_;
  std::vector<FlowStep> steps_;
  std::vector<std::uint32_t> state_;  ///< per instruction: region stack on its first visit
  std::vector<bool> leader_;
  std::vector<Region> regions_{{FlowAction::none, 0, 0}};  ///< 0: no region is open
  std::vector<Jump> jumps_;
  std::vector<std::uint32_t> indirect_, indirect_calls_;
  std::vector<std::uint32_t> routine_entries_;
  std::vector<bool> is_routine_;
  std::uint32_t cursor_ = 0;  ///< claim_leftover() is done with all code before it
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;
};

ControlFlow::ControlFlow(const Kernel& kernel) {
  ControlFlowBuilder(kernel, *this).build();
}

std::span<const ControlEdge> ControlFlow::successors(BlockId block) const {
  return std::span(out_edges_)
      .subspan(out_begin_[block], out_begin_[block + 1] - out_begin_[block]);
}

bool ControlFlow::is_conditional(BlockId block) const {
  const auto edges = successors(block);
  return edges.size() >= 2 || (edges.size() == 1 && edges[0].conditional);
}

std::span<const ControlEdge> ControlFlow::predecessors(BlockId block) const {
  return std::span(in_edges_).subspan(in_begin_[block], in_begin_[block + 1] - in_begin_[block]);
}

}  // namespace forewarp::analysis
