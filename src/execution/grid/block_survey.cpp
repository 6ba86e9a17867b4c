// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/mixed.h"
#include "execution/grid/grid_runner.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t first_places = 64;  // blocks from which the cost of one is known
constexpr std::uint64_t block_part = 4;     // part of all work that one block may take
constexpr std::uint64_t survey_memory = std::uint64_t{1} << 30;  // bytes that they may touch

/// Marks the instructions on which control depends, without regard to their order.
class Slicer {
 public:
  explicit Slicer(const Program& program)
      : program_(program),
        kept_(program.ops.size(), false),
        cells_(program.cell_count, false),
        predicates_(predicate::count, false) {}

  std::vector<bool> kept() {
    for (std::uint32_t i = 0; i < kept_.size(); ++i) {
      if (steers(program_.ops[i])) keep(i);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < kept_.size(); ++i) {
        if (kept_[i] || !is_wanted(i)) continue;
        keep(i);
        changed = true;
      }
    }
    return std::move(kept_);
  }

 private:
  [[nodiscard]] static bool steers(const MicroOp& op) {
    if (op.kind == OperationKind::flow || op.has(flag::pops) || op.has(flag::gives_way))
      return true;
    switch (op.operation) {
      case Operation::convergence_move:
      case Operation::barrier_result:
      case Operation::arrive:
      case Operation::check_phase:
      case Operation::outside_call:
      case Operation::unsupported:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] static bool in_block(MemorySpace space) {
    return space != MemorySpace::global && space != MemorySpace::constant;
  }

  [[nodiscard]] bool is_wanted(std::uint32_t i) const {
    const MicroOp& op = program_.ops[i];
    const bool writes_memory = op.operation == Operation::store ||
                               op.operation == Operation::copy_to_shared ||
                               op.operation == Operation::atomic;
    if (writes_memory && memory_ &&
        (in_block(op.space) || op.operation == Operation::copy_to_shared))
      return true;
    const auto cells = program_.writes(i);
    const auto predicates = program_.predicate_writes(i);
    return std::any_of(cells.begin(), cells.end(), [&](auto at) { return cells_[at]; }) ||
           std::any_of(predicates.begin(), predicates.end(),
                       [&](auto at) { return predicates_[at]; });
  }

  void keep(std::uint32_t i) {
    kept_[i] = true;
    const MicroOp& op = program_.ops[i];
    for (const std::uint32_t at : program_.reads(i)) {
      if ((at & DataFlow::pool_bit) == 0) cells_[at] = true;
    }
    for (const std::uint8_t at : program_.predicate_reads(i)) predicates_[at] = true;
    predicates_[op.guard] = true;
    const bool loads = op.operation == Operation::load || op.operation == Operation::load_matrix ||
                       op.operation == Operation::atomic;
    if (loads && in_block(op.space)) memory_ = true;
  }

  const Program& program_;
  std::vector<bool> kept_, cells_, predicates_;
  bool memory_ = false;  ///< what shared and local memory hold matters
};

/// Runs sliced blocks, one by one.
class Surveyor {
 public:
  Surveyor(const Program& slice, const ExecutionInput& input, std::uint64_t most)
      : image_(slice, input),
        buffers_(with_workspace(input)),
        memory_(buffers_, survey_memory),
        environment_(slice, image_, memory_),
        most_(most) {}

  /// Warp instructions of a block; infinite if they are too many, nullopt if it fails.
  std::optional<double> work_of(std::uint64_t number) {
    block_.start(environment_, number);
    NoSink sink;
    Turns turns;
    turns.block = std::max<std::uint64_t>(1, most_ / block_part);
    BlockFault failed;
    block_.executed = 0;
    const BlockState state = run_block(block_, sink, turns, failed);
    spent_ += block_.executed;
    if (state == BlockState::faulted) return {};
    if (state == BlockState::suspended) return std::numeric_limits<double>::infinity();
    return static_cast<double>(block_.executed);
  }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

 private:
  LaunchImage image_;
  std::vector<ExecutionBuffer> buffers_;
  GlobalMemory memory_;
  Environment environment_;
  Block block_;
  std::uint64_t most_ = 0, spent_ = 0;
};

/// Gives each place the blocks that are nearest to it.
void share_out(std::vector<BlockPlace>& places, std::uint64_t blocks) {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint64_t end =
        i + 1 < places.size() ? (places[i].block + places[i + 1].block) / 2 + 1 : blocks;
    places[i].size = end - first;
    first = end;
  }
}

bool has_global_answers(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::atomic && op.space != MemorySpace::shared &&
           op.has(flag::returns);
  });
}

}  // namespace

Program control_slice(const Program& program) {
  Program slice = program;
  const std::vector<bool> kept = Slicer(program).kept();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    MicroOp skipped;
    skipped.guard_flip = all_lanes;  // guarded by a predicate that never holds
    slice.ops[i] = skipped;
  }
  return slice;
}

double BlockSurvey::total() const {
  double all = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    all += work[i] * static_cast<double>(places[i].size);
  return all;
}

std::optional<BlockSurvey> survey_blocks(const Program& program, const ExecutionInput& input,
                                         std::uint64_t most) {
  if (program.moving) return {};
  const Program slice = control_slice(program);
  if (has_global_answers(slice)) return {};
  Surveyor surveyor(slice, input, most);
  const std::uint64_t blocks = input.blocks();
  std::uint64_t drawn = std::min(blocks, first_places);
  for (std::uint64_t i = 0; i < drawn; ++i) {
    if (!surveyor.work_of(drawn_place(blocks, drawn, i).block)) return {};
    if (surveyor.spent() > most / 2) return {};
  }
  const double each = static_cast<double>(surveyor.spent()) / static_cast<double>(drawn);
  const double left = static_cast<double>(most - surveyor.spent());
  drawn = std::min(blocks, static_cast<std::uint64_t>(left / std::max(1.0, each)));
  if (drawn == 0) return {};
  // In an order in which those looked at so far are spread evenly, should the work not suffice.
  std::uint64_t step = static_cast<std::uint64_t>(0.618 * static_cast<double>(drawn)) | 1U;
  while (std::gcd(step, drawn) != 1) step += 2;
  std::vector<std::pair<std::uint64_t, double>> seen;
  for (std::uint64_t k = 0; k < drawn && surveyor.spent() <= most; ++k) {
    const std::uint64_t block = drawn_place(blocks, drawn, k * step % drawn).block;
    const auto work = surveyor.work_of(block);
    if (!work) return {};
    seen.emplace_back(block, *work);
  }
  std::sort(seen.begin(), seen.end());
  BlockSurvey survey;
  for (const auto& [block, work] : seen) {
    survey.places.push_back({block, 1});
    survey.work.push_back(work);
  }
  share_out(survey.places, blocks);
  survey.unlooked = 1 - static_cast<double>(seen.size()) / static_cast<double>(blocks);
  return survey;
}

BlockKinds kinds_by_work(const BlockSurvey& survey, std::vector<double>& work) {
  constexpr double alike = 1.1, most_kinds = 12;
  std::vector<std::size_t> order(survey.work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return survey.work[a] < survey.work[b]; });
  double longest = 1, shortest = 1;
  for (const std::size_t i : order) {
    if (!std::isinf(survey.work[i])) longest = std::max(longest, survey.work[i]);
  }
  shortest = std::max(1.0, survey.work[order.front()]);
  const double range = std::max(alike, std::pow(longest / shortest, 1 / most_kinds));
  BlockKinds found;
  work.clear();
  double first = -1;
  for (const std::size_t i : order) {
    const double own = std::max(1.0, survey.work[i]);
    if (first < 0 || own > range * first) {
      first = own;
      found.kinds.emplace_back();
      work.push_back(0);
    }
    BlockKind& kind = found.kinds.back();
    const BlockPlace& place = survey.places[i];
    kind.blocks += place.size;
    kind.places.push_back(place);
    const double share = static_cast<double>(place.size) / static_cast<double>(kind.blocks);
    work.back() = std::isinf(own) ? own : work.back() + (own - work.back()) * share;
  }
  for (BlockKind& kind : found.kinds) {
    std::sort(kind.places.begin(), kind.places.end(),
              [](const BlockPlace& a, const BlockPlace& b) { return a.block < b.block; });
    kind.error = drawn_error(survey.unlooked, kind.places.size());
    thin(kind);
  }
  found.looked_at = survey.places.size();
  found.unlooked = survey.unlooked;
  return found;
}

}  // namespace forewarp::execution
