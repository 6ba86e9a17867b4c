// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/path_builder.h"

#include <algorithm>
#include <utility>

namespace forewarp::binding {
namespace {

constexpr std::size_t most_visits = 200'000;  // so that walks end even in nonsensical code
constexpr std::size_t most_loops = 64;        // one bit each in a TripPolynomial
constexpr int deepest_calls = 16;
// Loops with several entries never reach the meeting point of their branches.
constexpr int deepest_walks = 2000;

class Walker {
 public:
  Walker(const PathFacts& facts, PathDecisions& decisions) : facts_(facts), decisions_(decisions) {}

  std::optional<WarpPath> build() {
    if (!facts_.flow.blocks().empty()) walk(0, no_block, path_.steps);
    if (too_many_loops_ || visits_ >= most_visits) return std::nullopt;
    return std::move(path_);
  }

 private:
  /// A loop being walked: its one iteration ends at the header or where it leaves the loop.
  struct Frame {
    LoopId loop = no_loop;
    BlockId ends_at = no_block;    ///< block whose branch is known to end it
    BlockId exit_to = no_block;    ///< target of the way out
    BlockId left_from = no_block;  ///< block whose branch leaves the loop
    std::size_t cut = 0;           ///< steps of the body up to that block, inclusive
    bool exit_jumps = false;       ///< the way out is the taken branch
    bool cut_known = false;
  };

  const ControlEdge* edge_when(BlockId block, bool taken) const {
    for (const ControlEdge& edge : facts_.flow.successors(block)) {
      if (!edge.conditional || edge.when_taken == taken) return &edge;
    }
    return nullptr;
  }

  [[nodiscard]] bool leaves(const ControlEdge& edge) const {
    return !frames_.empty() && !facts_.loops.contains(frames_.back().loop, edge.to);
  }

  /// Walks from `block` until `stop`, the end of the iteration, or the end of the thread.
  void walk(BlockId block, BlockId stop, std::vector<PathStep>& steps) {
    if (walks_ >= deepest_walks) visits_ = most_visits;
    ++walks_;
    bool first = true;
    while (block != no_block && block != stop && ++visits_ < most_visits) {
      const LoopId loop = facts_.loops.innermost(block);
      const bool heads = loop != no_loop && facts_.loops.all()[loop].header == block;
      const bool inside = !frames_.empty() && frames_.back().loop == loop;
      if (heads && inside && !(first && entering_)) break;
      if (heads && !inside) {
        if (path_.loops.size() >= most_loops) too_many_loops_ = true;
        if (too_many_loops_) break;
        block = walk_loop(loop, steps);
        first = false;
        continue;
      }
      entering_ = false;
      first = false;
      block = walk_block(block, stop, steps);
    }
    --walks_;
  }

  /// Emits one block and returns its successor on the path.
  BlockId walk_block(BlockId id, BlockId stop, std::vector<PathStep>& steps) {
    const BasicBlock& block = facts_.flow.blocks()[id];
    PathStep run;
    run.first = block.first;
    run.last = block.end;
    const std::size_t at = steps.size();
    steps.push_back(run);
    if (block.callee != no_block && calls_ < deepest_calls) {
      ++calls_;
      steps[at].jumps = true;
      std::vector<Frame> outer;
      outer.swap(frames_);
      walk(block.callee, no_block, steps);
      outer.swap(frames_);
      --calls_;
    }
    const auto edges = facts_.flow.successors(id);
    if (edges.empty()) return no_block;
    if (!facts_.flow.is_conditional(id)) return follow(edges[0], at, steps);
    return walk_branch(id, stop, at, steps);
  }

  BlockId follow(const ControlEdge& edge, std::size_t at, std::vector<PathStep>& steps) {
    steps[at].jumps = steps[at].jumps || edge.kind != EdgeKind::fallthrough;
    return edge.to;
  }

  BlockId walk_branch(BlockId id, BlockId stop, std::size_t at, std::vector<PathStep>& steps) {
    const ControlEdge* taken = edge_when(id, true);
    const ControlEdge* not_taken = edge_when(id, false);
    if (!frames_.empty()) {
      // In a loop, the iteration continues; the way out is followed after the last iteration.
      const ControlEdge* out = taken != nullptr && leaves(*taken)           ? taken
                               : not_taken != nullptr && leaves(*not_taken) ? not_taken
                                                                            : nullptr;
      const ControlEdge* stay = out == taken ? not_taken : taken;
      if (out != nullptr && stay != nullptr && !leaves(*stay)) {
        note_exit(*out, id, steps);
        return follow(*stay, at, steps);
      }
    }
    const BranchWay way = decisions_.way(id, facts_.flow.blocks()[id].end - 1);
    if (way == BranchWay::taken) return taken != nullptr ? follow(*taken, at, steps) : no_block;
    if (way == BranchWay::not_taken || taken == nullptr || not_taken == nullptr) {
      return not_taken != nullptr ? follow(*not_taken, at, steps) : no_block;
    }
    const BlockId meet = facts_.post_dominators.immediate(id);
    const BlockId until = meet == no_block ? stop : meet;
    if (not_taken->to != until) walk(not_taken->to, until, steps);
    if (taken->to != until) {
      steps[at].jumps = true;
      walk(taken->to, until, steps);
    }
    return until;
  }

  void note_exit(const ControlEdge& out, BlockId from, const std::vector<PathStep>& steps) {
    Frame& frame = frames_.back();
    const bool by_latch = facts_.loops.is_back_edge(*edge_when(from, !out.when_taken));
    const bool better = frame.ends_at != no_block ? from == frame.ends_at : by_latch;
    if (frame.exit_to == no_block || better) {
      frame.exit_to = out.to;
      frame.left_from = from;
      frame.cut = steps.size();
      frame.exit_jumps = out.kind != EdgeKind::fallthrough;
      frame.cut_known = &steps == body_;
    }
  }

  /// Walks one iteration of a loop and what follows; returns the block after the loop.
  BlockId walk_loop(LoopId id, std::vector<PathStep>& steps) {
    const Loop& loop = facts_.loops.all()[id];
    const LoopPasses passes = decisions_.passes(id);
    PathStep step;
    step.loop = static_cast<std::uint32_t>(path_.loops.size());
    path_.loops.push_back({loop.begin, loop.end, passes.trips, passes.formula,
                           static_cast<int>(loop.depth), passes.varies});
    frames_.push_back({id, passes.exit_block});
    std::vector<PathStep>* const outer_body = body_;
    body_ = &step.body;
    entering_ = true;
    walk(loop.header, no_block, step.body);
    body_ = outer_body;
    const Frame frame = frames_.back();
    frames_.pop_back();
    const bool from_the_middle = frame.cut_known && frame.cut < step.body.size();
    step.leaves_at_end = frame.cut_known && !from_the_middle && !frame.exit_jumps;
    std::vector<PathStep> last_pass;
    if (from_the_middle) {
      last_pass.assign(step.body.begin(),
                       step.body.begin() + static_cast<std::ptrdiff_t>(frame.cut));
      last_pass.back().jumps = frame.exit_jumps;
    }
    steps.push_back(std::move(step));
    for (PathStep& piece : last_pass) steps.push_back(std::move(piece));
    return frame.exit_to;
  }

  const PathFacts& facts_;
  PathDecisions& decisions_;
  WarpPath path_;
  std::vector<Frame> frames_;
  std::vector<PathStep>* body_ = nullptr;
  std::size_t visits_ = 0;
  int calls_ = 0;
  int walks_ = 0;  ///< nested calls of walk()
  bool too_many_loops_ = false;
  bool entering_ = false;  ///< the next header is that of the loop being entered
};

}  // namespace

std::optional<WarpPath> build_path(const PathFacts& facts, PathDecisions& decisions) {
  return Walker(facts, decisions).build();
}

}  // namespace forewarp::binding
