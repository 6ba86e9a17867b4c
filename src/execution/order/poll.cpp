// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/poll.h"

#include <algorithm>

#include "execution/state/clocks.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 29;
}

bool other_lanes_run(const Warp& warp) {
  return std::any_of(warp.divergence.groups.begin(), warp.divergence.groups.end(),
                     [](const LaneGroup& g) { return g.state == LaneGroup::State::ready; });
}

/// Whether an instruction reads something that may change although nobody writes a polled word.
bool reads_elsewhere(const MicroOp& op) {
  switch (op.operation) {
    case Operation::load:
      return op.space == MemorySpace::shared || !op.has(flag::strong);
    case Operation::special_register:
      return reads_time(static_cast<SpecialRegister>(op.immediate));
    case Operation::check_phase:
      return true;
    case Operation::atomic:
      return op.space == MemorySpace::shared;
    default:
      return false;
  }
}

}  // namespace

/// Of all that the instructions since the anchor have written; the rest has not changed since then.
std::uint64_t PollDetector::print_of(const Program& program, const Warp& warp) const {
  std::uint64_t hash = mixed(executed_.size(), warp.active);
  for (const std::uint32_t instruction : executed_) {
    hash = mixed(hash, instruction);
    for (const std::uint32_t cell : program.writes(instruction)) {
      const std::uint32_t* values = warp.cell_at(cell);
      for (unsigned i = 0; i < lane_count; ++i) {
        if (has_lane(warp.active, i)) hash = mixed(hash, values[i]);
      }
    }
    for (const std::uint8_t at : program.predicate_writes(instruction)) {
      hash = mixed(hash, warp.predicates[at] & warp.active);
    }
  }
  return hash;
}

/// No cell or predicate is read before it is written, if the pass writes it at all.
bool PollDetector::repeats_itself(const Program& program) const {
  std::vector<std::uint32_t> written;
  std::vector<std::uint8_t> decided;
  const auto has = [](const auto& list, auto value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  std::vector<std::uint32_t> cells;
  std::vector<std::uint8_t> predicates;
  for (const std::uint32_t instruction : executed_) {
    const auto w = program.writes(instruction);
    const auto p = program.predicate_writes(instruction);
    cells.insert(cells.end(), w.begin(), w.end());
    predicates.insert(predicates.end(), p.begin(), p.end());
  }
  for (const std::uint32_t instruction : executed_) {
    for (const std::uint32_t cell : program.reads(instruction)) {
      if (has(cells, cell) && !has(written, cell)) return false;
    }
    for (const std::uint8_t at : program.predicate_reads(instruction)) {
      if (has(predicates, at) && !has(decided, at)) return false;
    }
    // A guarded instruction may leave what it writes as it was.
    const MicroOp& op = program.ops[instruction];
    if (op.guard != predicate::always) {
      if (has(predicates, op.guard) && !has(decided, op.guard)) return false;
      continue;
    }
    const auto w = program.writes(instruction);
    const auto p = program.predicate_writes(instruction);
    written.insert(written.end(), w.begin(), w.end());
    decided.insert(decided.end(), p.begin(), p.end());
  }
  return true;
}

void PollDetector::restart(double at) {
  at_ = at;
  executed_.clear();
  words_.clear();
  wrote_ = false;
}

bool PollDetector::arrives(const Program& program, const Warp& warp, std::uint32_t instruction,
                           double at) {
  const bool fits = executed_.size() <= most_instructions && words_.size() < most_words;
  if (anchor_ != instruction || !fits || wrote_ || words_.empty() || other_lanes_run(warp)) {
    // Another access of the same loop keeps the anchor.
    if (anchor_ != nowhere && anchor_ != instruction && fits && !wrote_) return false;
    anchor_ = instruction;
    printed_ = false;
    restart(at);
    return false;
  }
  // The first access of the pass is the anchor's own, so `executed_` is one whole pass.
  if (executed_ != pass_) {
    pass_ = executed_;
    closed_ = std::none_of(pass_.begin(), pass_.end(), [&](std::uint32_t passed) {
      return reads_elsewhere(program.ops[passed]);
    });
    pure_ = closed_ && repeats_itself(program);
  }
  if (!closed_) {
    restart(at);
    return false;
  }
  if (pure_) {
    period_ = at - at_;
    polled_ = words_;
    restart(at);
    return true;
  }
  const std::uint64_t print = print_of(program, warp);
  const bool same = printed_ && print == print_;
  print_ = print;
  printed_ = true;
  period_ = at - at_;
  polled_ = words_;
  restart(at);
  return same;
}

}  // namespace forewarp::execution
