// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/moving_work.h"

#include <algorithm>
#include <vector>

#include "analysis/control_flow.h"
#include "analysis/dominators.h"
#include "analysis/loops.h"
#include "base/text.h"
#include "execution/state/clocks.h"

namespace forewarp::execution {
namespace {

/// The source that a value depends on: its instruction plus one, or 0 for none.
using Mark = std::uint32_t;

/// Whether loops that repeat a compare-and-swap until it succeeds count as moving.
enum class Swaps : std::uint8_t { left_out, included };

/// Whether what is written behind a branch carries the mark of the branch's condition: only for a
/// poll that the branch's own loop repeats, such as `while (k < n) { v = poll(k); if (v) ++k; }`.
enum class Control : std::uint8_t { ignored, followed };

std::optional<MovingWork::Source> source_of(const MicroOp& op, Swaps swaps) {
  const bool global = op.space == MemorySpace::global || op.space == MemorySpace::generic;
  if (op.operation == Operation::atomic && op.has(flag::returns) && global) {
    const bool swap = op.atomic == AtomicOperator::compare_exchange;
    if (swap && swaps == Swaps::left_out) return {};
    return MovingWork::Source::read_modify_write;
  }
  if (op.operation == Operation::load && op.has(flag::strong) && global) {
    return MovingWork::Source::poll;
  }
  if (op.operation != Operation::special_register) return {};
  const auto which = static_cast<SpecialRegister>(op.immediate);
  return reads_time(which) ? std::optional(MovingWork::Source::clock) : std::nullopt;
}

/// Marks of all cells and predicates at one point of the code.
struct Marks {
  std::vector<Mark> cells;
  std::vector<Mark> predicates;

  /// Adds the other's marks where this has none; returns whether any were added.
  bool join(const Marks& other) {
    bool changed = false;
    const auto take = [&](std::vector<Mark>& own, const std::vector<Mark>& theirs) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] != 0 || theirs[i] == 0) continue;
        own[i] = theirs[i];
        changed = true;
      }
    };
    take(cells, other.cells);
    take(predicates, other.predicates);
    return changed;
  }
};

class Follower {
 public:
  Follower(const Program& program, Swaps swaps, Control control = Control::ignored)
      : program_(program),
        swaps_(swaps),
        control_(control),
        flow_(*program.kernel),
        loops_(*program.kernel, flow_, Dominators(flow_, Dominators::Direction::forward)) {}

  /// A loop whose end such a value decides.
  std::optional<MovingWork> find() {
    if (loops_.all().empty()) return {};
    follow();
    return decision();
  }

  /// The loops that a poll ends.
  std::vector<std::uint32_t> waiting() {
    follow();
    std::vector<std::uint32_t> begins;
    for (const Loop& loop : loops_.all()) {
      const Mark mark = end_of(loop);
      if (mark == 0) continue;
      if (*source_of(program_.ops[mark - 1], swaps_) == MovingWork::Source::poll)
        begins.push_back(loop.begin);
    }
    return begins;
  }

  /// Whether another block's value decides any branch; a clock only where it ends a loop.
  bool steers() {
    follow();
    for (BlockId block = 0; block < flow_.blocks().size(); ++block) {
      const BasicBlock& code = flow_.blocks()[block];
      if (flow_.successors(block).size() < 2 && !code.exits) continue;
      const Mark mark = condition_of(block, code.end - 1);
      if (mark != 0 && *source_of(program_.ops[mark - 1], swaps_) != MovingWork::Source::clock)
        return true;
    }
    return decision().has_value();
  }

 private:
  void follow() {
    const Marks none{std::vector<Mark>(program_.cell_count, 0),
                     std::vector<Mark>(predicate::count, 0)};
    before_.assign(flow_.blocks().size(), none);
    decided_.assign(flow_.blocks().size(), 0);
    // Marks are only added, so the iteration ends once no block changes another.
    for (bool changed = true; changed;) {
      changed = false;
      const Mark shared = shared_, reduced = reduced_;
      for (BlockId block = 0; block < flow_.blocks().size(); ++block) {
        Marks marks = before_[block];
        run(block, marks);
        if (control_ == Control::followed) changed = decide_from(block) || changed;
        for (const ControlEdge& edge : flow_.successors(block)) {
          changed = before_[edge.to].join(marks) || changed;
        }
      }
      changed = changed || shared != shared_ || reduced != reduced_;
    }
  }

  /// Blocks of the loop that its pass can come to from `from`, without beginning another one.
  [[nodiscard]] std::vector<bool> reached(LoopId loop, BlockId from) const {
    std::vector<bool> seen(flow_.blocks().size(), false);
    std::vector<BlockId> open;
    const auto reach = [&](BlockId to) {
      if (seen[to] || !loops_.contains(loop, to) || to == loops_.all()[loop].header) return;
      seen[to] = true;
      open.push_back(to);
    };
    reach(from);
    while (!open.empty()) {
      const BlockId at = open.back();
      open.pop_back();
      for (const ControlEdge& edge : flow_.successors(at)) reach(edge.to);
    }
    return seen;
  }

  /// Marks the blocks of a loop that run or not by what the end of `block` polls in it: those that
  /// some ways from there come to, and others not. Whether any was new.
  bool decide_from(BlockId block) {
    if (flow_.successors(block).size() < 2) return false;
    const Mark mark = condition_of(block, flow_.blocks()[block].end - 1);
    if (mark == 0 || *source_of(program_.ops[mark - 1], swaps_) != MovingWork::Source::poll)
      return false;
    const LoopId loop = loops_.innermost(block);
    if (loop == no_loop || !loops_.contains(loop, flow_.block_of(mark - 1))) return false;
    std::vector<unsigned> ways(decided_.size(), 0);
    unsigned inside = 0;
    for (const ControlEdge& edge : flow_.successors(block)) {
      if (!loops_.contains(loop, edge.to)) continue;
      ++inside;
      const std::vector<bool> seen = reached(loop, edge.to);
      for (BlockId to = 0; to < seen.size(); ++to) ways[to] += seen[to] ? 1U : 0U;
    }
    bool changed = false;
    for (BlockId to = 0; to < ways.size(); ++to) {
      if (ways[to] == 0 || ways[to] == inside || decided_[to] != 0) continue;
      decided_[to] = mark;
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] Mark read_by(const Marks& marks, std::uint32_t index) const {
    Mark mark = 0;
    for (const std::uint32_t at : program_.reads(index)) {
      if ((at & DataFlow::pool_bit) == 0 && mark == 0) mark = marks.cells[at];
    }
    for (const std::uint8_t at : program_.predicate_reads(index)) {
      if (mark == 0) mark = marks.predicates[at];
    }
    return mark;
  }

  [[nodiscard]] static bool in_shared(const MicroOp& op) {
    return op.space == MemorySpace::shared || op.space == MemorySpace::generic;
  }

  /// The mark of the stored value, not of the address.
  [[nodiscard]] Mark stored_by(const Marks& marks, const MicroOp& op) const {
    Mark mark = 0;
    for (std::uint32_t i = 0; i < std::max(1U, op.bytes / 4U); ++i) {
      const Source& data = op.source[1];
      if (!data.pool && mark == 0 && data.cell + i < marks.cells.size())
        mark = marks.cells[data.cell + i];
    }
    return mark;
  }

  /// `decided`: the mark of the branches that lead here.
  void step(std::uint32_t index, Marks& marks, Mark decided) {
    const MicroOp& op = program_.ops[index];
    if (op.operation == Operation::store && in_shared(op)) {
      if (shared_ == 0) shared_ = stored_by(marks, op);
      if (shared_ == 0) shared_ = decided;
      return;
    }
    Mark mark = 0;
    if (op.operation == Operation::barrier) {
      if (reduced_ == 0) reduced_ = read_by(marks, index);
      return;
    }
    if (source_of(op, swaps_)) {
      mark = index + 1;
    } else if (op.operation == Operation::barrier_result) {
      mark = reduced_;
    } else if (op.operation == Operation::load) {
      mark = in_shared(op) ? shared_ : 0;  // an address selects the value, it does not delay it
    } else {
      mark = read_by(marks, index);
    }
    const bool guarded = op.guard != predicate::always;
    if (mark == 0 && guarded) mark = marks.predicates[op.guard];
    if (mark == 0) mark = decided;
    for (const std::uint32_t at : program_.writes(index)) {
      if (!guarded || mark != 0) marks.cells[at] = mark;
    }
    for (const std::uint8_t at : program_.predicate_writes(index)) {
      if (!guarded || mark != 0) marks.predicates[at] = mark;
    }
  }

  void run(BlockId block, Marks& marks) {
    const BasicBlock& code = flow_.blocks()[block];
    for (std::uint32_t i = code.first; i < code.end; ++i) step(i, marks, decided_[block]);
  }

  /// The mark of the condition of a block's last instruction.
  [[nodiscard]] Mark condition_of(BlockId block, std::uint32_t last) {
    Marks marks = before_[block];
    const BasicBlock& code = flow_.blocks()[block];
    for (std::uint32_t i = code.first; i < last; ++i) step(i, marks, decided_[block]);
    const MicroOp& op = program_.ops[last];
    if (op.guard != predicate::always && marks.predicates[op.guard] != 0)
      return marks.predicates[op.guard];
    return read_by(marks, last);
  }

  /// Whether a pass of the loop is repeated from `block` or goes on: a poll inside of it.
  [[nodiscard]] bool repeats(const Loop& loop, BlockId block) const {
    const auto out = flow_.successors(block);
    return out.size() > 1 && std::any_of(out.begin(), out.end(),
                                         [&](const ControlEdge& e) { return e.to == loop.header; });
  }

  /// The mark of a condition that ends the loop, or of a poll that shares its header with it;
  /// `at`: the instruction that decides. Behind branches only if all of its conditions have one:
  /// any other would end it.
  Mark end_of(const Loop& loop, std::uint32_t* at = nullptr) {
    Mark first = 0;
    for (const BlockId block : loop.blocks) {
      const BasicBlock& code = flow_.blocks()[block];
      const auto out = flow_.successors(block);
      const bool leaves =
          code.exits || std::any_of(loop.exits.begin(), loop.exits.end(),
                                    [&](const ControlEdge& e) { return e.from == block; });
      const bool again = !leaves && repeats(loop, block);
      if ((!leaves && !again) || (out.size() < 2 && !code.exits)) continue;
      const Mark mark = condition_of(block, code.end - 1);
      if (control_ == Control::followed && leaves && !counts(loop, mark)) return 0;
      if (mark == 0 || first != 0) continue;
      if (again && *source_of(program_.ops[mark - 1], swaps_) != MovingWork::Source::poll) continue;
      if (at != nullptr) *at = code.end - 1;
      first = mark;
      if (control_ == Control::ignored) break;
    }
    return first;
  }

  /// Whether it is a poll that the loop repeats.
  [[nodiscard]] bool counts(const Loop& loop, Mark mark) const {
    return mark != 0 && *source_of(program_.ops[mark - 1], swaps_) == MovingWork::Source::poll &&
           loops_.contains(loops_.headed_by(loop.header), flow_.block_of(mark - 1));
  }

  std::optional<MovingWork> decision() {
    for (const Loop& loop : loops_.all()) {
      std::uint32_t at = 0;
      const Mark mark = end_of(loop, &at);
      if (mark != 0) return MovingWork{*source_of(program_.ops[mark - 1], swaps_), mark - 1, at};
    }
    return {};
  }

  const Program& program_;
  Swaps swaps_;
  Control control_;
  ControlFlow flow_;
  Loops loops_;
  std::vector<Marks> before_;
  std::vector<Mark> decided_;  ///< by block: the poll that decides whether it runs
  Mark shared_ = 0;            ///< of all shared memory, treated as one word
  Mark reduced_ = 0;           ///< of what barriers count or ask of a block's threads
};

}  // namespace

namespace {

bool has_source(const Program& program, Swaps swaps) {
  return std::any_of(program.ops.begin(), program.ops.end(),
                     [&](const MicroOp& op) { return source_of(op, swaps).has_value(); });
}

}  // namespace

std::optional<MovingWork> moving_work(const Program& program) {
  if (!has_source(program, Swaps::left_out)) return {};
  if (auto found = Follower(program, Swaps::left_out).find()) return found;
  return Follower(program, Swaps::left_out, Control::followed).find();
}

std::vector<std::uint32_t> waiting_loops(const Program& program) {
  if (!has_source(program, Swaps::left_out)) return {};
  auto begins = Follower(program, Swaps::left_out).waiting();
  for (const std::uint32_t more : Follower(program, Swaps::left_out, Control::followed).waiting()) {
    if (std::ranges::find(begins, more) == begins.end()) begins.push_back(more);
  }
  return begins;
}

bool blocks_steer(const Program& program) {
  if (!has_source(program, Swaps::included)) return false;
  return Follower(program, Swaps::included).steers();
}

bool sleeps(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const MicroOp& op) {
    return op.operation == Operation::none && op.has(flag::gives_way);
  });
}

std::string moving_text(const Program& program, const MovingWork& moving) {
  const Kernel& kernel = *program.kernel;
  return "what " + instruction_text(kernel, moving.value) + " reads decides at " +
         hex(kernel.instructions[moving.decision].address, 4) + " whether a loop goes on, and " +
         (moving.source == MovingWork::Source::clock ? "a clock decides that"
                                                     : "other blocks change it meanwhile");
}

}  // namespace forewarp::execution
