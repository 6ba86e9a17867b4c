// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/control_flow.h"
#include "base/normal.h"
#include "execution/grid/grid_runner.h"
#include "execution/grid/index_decisions.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t first_places = 64;  // blocks from which the cost of one is known
constexpr std::uint64_t fewest_places = 8;  // blocks of a survey that the work ended
constexpr double alike = 1.1;               // factor between the work of blocks of a kind, at least
constexpr std::uint64_t block_part = 4;     // part of all work that one block may take
constexpr std::uint64_t survey_memory = std::uint64_t{1} << 30;  // bytes that they may touch

/// Registers and predicates whose values decide control later.
struct Wanted {
  std::vector<bool> cells, predicates;

  bool join(const Wanted& other) {
    bool changed = false;
    const auto take = [&](std::vector<bool>& own, const std::vector<bool>& theirs) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] || !theirs[i]) continue;
        own[i] = changed = true;
      }
    };
    take(cells, other.cells);
    take(predicates, other.predicates);
    return changed;
  }
};

/// Marks the instructions on which control depends, from where it is decided back to where the
/// values come from. Calls are not followed: where there are any, the order does not count.
class Slicer {
 public:
  explicit Slicer(const Program& program)
      : program_(program),
        flow_(*program.kernel),
        kept_(program.ops.size(), false),
        ordered_(std::none_of(program.ops.begin(), program.ops.end(),
                              [](const MicroOp& op) { return leaves_order(op.operation); })) {
    const Wanted none{std::vector<bool>(program.cell_count, false),
                      std::vector<bool>(predicate::count, false)};
    before_.assign(ordered_ ? flow_.blocks().size() : 1, none);
  }

  std::vector<bool> kept() {
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = steers(program_.ops[i]);
    for (bool changed = true; changed;) {
      changed = false;
      const bool memory = memory_;
      for (std::size_t block = before_.size(); block-- > 0;) {
        Wanted wanted = before_[block];
        if (ordered_) {
          wanted = Wanted{std::vector<bool>(program_.cell_count, false),
                          std::vector<bool>(predicate::count, false)};
          for (const ControlEdge& edge : flow_.successors(static_cast<BlockId>(block)))
            (void)wanted.join(before_[edge.to]);
        }
        const std::uint32_t first = ordered_ ? flow_.blocks()[block].first : 0;
        auto end = static_cast<std::uint32_t>(kept_.size());
        if (ordered_) end = flow_.blocks()[block].end;
        for (std::uint32_t i = end; i-- > first;) step(i, wanted);
        changed = before_[block].join(wanted) || changed;
      }
      changed = changed || memory != memory_;
    }
    return std::move(kept_);
  }

 private:
  [[nodiscard]] static bool leaves_order(Operation operation) {
    return operation == Operation::branch_indirect || operation == Operation::call ||
           operation == Operation::call_indirect || operation == Operation::return_ ||
           operation == Operation::return_indirect;
  }

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

  [[nodiscard]] bool is_wanted(std::uint32_t i, const Wanted& wanted) const {
    const MicroOp& op = program_.ops[i];
    const bool copies = op.operation == Operation::copy_to_shared;
    const bool writes_memory =
        op.operation == Operation::store || copies || op.operation == Operation::atomic;
    if (writes_memory && memory_ && (copies || in_block(op.space))) return true;
    const auto cells = program_.writes(i);
    const auto predicates = program_.predicate_writes(i);
    return std::any_of(cells.begin(), cells.end(), [&](auto at) { return wanted.cells[at]; }) ||
           std::any_of(predicates.begin(), predicates.end(),
                       [&](auto at) { return wanted.predicates[at]; });
  }

  void step(std::uint32_t i, Wanted& wanted) {
    const MicroOp& op = program_.ops[i];
    if (!steers(op) && !is_wanted(i, wanted)) return;
    kept_[i] = true;
    if (ordered_ && op.guard == predicate::always) {
      for (const std::uint32_t at : program_.writes(i)) wanted.cells[at] = false;
      for (const std::uint8_t at : program_.predicate_writes(i)) wanted.predicates[at] = false;
    }
    for (const std::uint32_t at : program_.reads(i)) {
      if ((at & DataFlow::pool_bit) == 0) wanted.cells[at] = true;
    }
    for (const std::uint8_t at : program_.predicate_reads(i)) wanted.predicates[at] = true;
    if (op.guard != predicate::always) wanted.predicates[op.guard] = true;
    const bool loads = op.operation == Operation::load || op.operation == Operation::load_matrix ||
                       op.operation == Operation::atomic;
    if (loads && in_block(op.space)) memory_ = true;
  }

  const Program& program_;
  ControlFlow flow_;
  std::vector<bool> kept_;
  bool ordered_;
  std::vector<Wanted> before_;
  bool memory_ = false;  ///< what shared and local memory hold matters
};

/// A loop of which the slice keeps nothing but counters that grow by the same in each pass, and the
/// comparison that ends it.
struct CountedLoop {
  std::uint32_t first = 0, branch = 0;  ///< instructions
  std::vector<std::uint32_t> ops;       ///< kept ones, without the branch
  std::vector<std::uint32_t> cells;     ///< that they write

  [[nodiscard]] std::uint64_t length() const { return branch - first + 1; }
};

/// The loop that the branch repeats, if it is one.
std::optional<CountedLoop> counted_loop(const Program& slice, std::uint32_t branch) {
  constexpr std::size_t most_cells = 8;
  const MicroOp& op = slice.ops[branch];
  if (op.operation != Operation::branch || op.guard == predicate::always) return {};
  if (op.second > branch || op.has(flag::pops)) return {};
  CountedLoop loop{op.second, branch, {}, {}};
  for (std::uint32_t i = loop.first; i < branch; ++i) {
    const MicroOp& own = slice.ops[i];
    const bool skipped = own.operation == Operation::none && own.guard_flip == all_lanes;
    if (skipped) continue;
    const bool linear = own.operation == Operation::add || own.operation == Operation::move;
    const bool plain = own.guard == predicate::always && own.guard_flip == 0 &&
                       !own.has(flag::pops | flag::gives_way | flag::carry_in | flag::carry_out |
                                flag::set_code | flag::extended);
    if (!plain || !(linear || own.operation == Operation::compare)) return {};
    loop.ops.push_back(i);
    const auto cells = slice.writes(i);
    loop.cells.insert(loop.cells.end(), cells.begin(), cells.end());
  }
  if (loop.cells.empty() || loop.cells.size() > most_cells) return {};
  return loop;
}

/// Leaps over passes of counted loops. What a pass adds to the counters is the same from then on
/// when two passes have added the same, as all that they do is linear; passes that all lanes repeat
/// are found by trying how far the comparison still holds.
class LoopLeaper {
 public:
  explicit LoopLeaper(const Program& slice) : slice_(slice), loops_(slice.ops.size()) {
    for (std::uint32_t i = 0; i < loops_.size(); ++i) loops_[i] = counted_loop(slice, i);
  }

  void begin() { seen_ = 0; }  ///< of a block

  /// Warp instructions of the passes that were left out, after the branch was taken by `taken`.
  std::uint64_t leap(Warp& warp, std::uint32_t branch, LaneMask active, LaneMask taken) {
    const std::optional<CountedLoop>& loop = loops_[branch];
    if (!loop || taken != active || warp.unknown.any) {
      seen_ = 0;
      return 0;
    }
    if (branch != branch_ || &warp != warp_ || active != active_) seen_ = 0;
    branch_ = branch;
    warp_ = &warp;
    active_ = active;
    Rows now = rows_of(warp, *loop);
    Rows added = now;
    if (seen_ > 0) {
      for (std::size_t i = 0; i < now.size(); ++i) added[i] = now[i] - last_[i];
    }
    const bool steady = seen_ > 1 && added == added_;
    ++seen_;
    last_ = std::move(now);
    added_ = std::move(added);
    if (!steady) return 0;
    seen_ = 0;
    return leap_over(warp, *loop) * loop->length();
  }

 private:
  using Rows = std::vector<std::uint32_t>;  ///< all lanes of each cell of a loop

  static Rows rows_of(const Warp& warp, const CountedLoop& loop) {
    Rows rows;
    for (const std::uint32_t cell : loop.cells) {
      const std::uint32_t* values = warp.cell_at(cell);
      rows.insert(rows.end(), values, values + lane_count);
    }
    return rows;
  }

  /// Puts the counters where they are after `passes` further passes.
  void put(Warp& warp, const CountedLoop& loop, std::uint32_t passes) const {
    std::size_t at = 0;
    for (const std::uint32_t cell : loop.cells) {
      std::uint32_t* values = warp.cell_at(cell);
      for (unsigned lane = 0; lane < lane_count; ++lane, ++at)
        values[lane] = last_[at] + added_[at] * passes;
    }
  }

  /// Makes the pass after `passes` further ones; whether all lanes repeat the loop after it.
  [[nodiscard]] bool repeats_after(Warp& warp, const CountedLoop& loop,
                                   std::uint32_t passes) const {
    put(warp, loop, passes);
    for (const std::uint32_t i : loop.ops) {
      const MicroOp& op = slice_.ops[i];
      op.handler(warp, op, op.has(flag::uniform) ? all_lanes : active_);
    }
    const MicroOp& branch = slice_.ops[loop.branch];
    return (active_ & (warp.predicates[branch.guard] ^ branch.guard_flip)) == active_;
  }

  std::uint64_t leap_over(Warp& warp, const CountedLoop& loop) const {
    constexpr std::uint32_t most = 1U << 30U;
    if (!repeats_after(warp, loop, 0)) {
      put(warp, loop, 0);  // the next pass decides again
      return 0;
    }
    std::uint32_t good = 0, bad = 1;
    while (bad < most && repeats_after(warp, loop, bad)) {
      good = bad;
      bad *= 2;
    }
    while (bad - good > 1) {
      const std::uint32_t middle = good + (bad - good) / 2;
      (repeats_after(warp, loop, middle) ? good : bad) = middle;
    }
    (void)repeats_after(warp, loop, good);
    return std::uint64_t{good} + 1;
  }

  const Program& slice_;
  std::vector<std::optional<CountedLoop>> loops_;
  std::uint32_t branch_ = 0;
  const Warp* warp_ = nullptr;
  LaneMask active_ = 0;
  unsigned seen_ = 0;
  Rows last_, added_;
};

bool is_skipped(const MicroOp& op) {
  return op.operation == Operation::none && op.guard_flip == all_lanes;
}

void pass_over(Warp& warp, const MicroOp& op, LaneMask /*lanes*/) {
  warp.pc += op.immediate;  // the run loop adds the step over `op` itself
}

/// A slice in which each run of skipped instructions of a basic block is passed in one step.
struct ShortSlice {
  explicit ShortSlice(const Program& slice) : program(slice), passed(slice.ops.size(), 0) {
    const ControlFlow flow(*slice.kernel);
    for (const auto& block : flow.blocks()) {
      std::uint32_t more = 0;
      for (std::uint32_t i = block.end; i-- > block.first;) {
        if (!is_skipped(slice.ops[i])) {
          more = 0;
          continue;
        }
        passed[i] = more;
        if (more++ > 0) program.ops[i] = leap(passed[i]);
      }
    }
  }

  Program program;
  std::vector<std::uint32_t> passed;  ///< by instruction: those behind it that its step passes too

 private:
  [[nodiscard]] static MicroOp leap(std::uint32_t over) {
    MicroOp op;
    op.handler = pass_over;
    op.kind = OperationKind::warp;
    op.flags = flag::own_unknown;
    op.immediate = over;
    return op;
  }
};

/// Runs sliced blocks, one by one.
class Surveyor {
 public:
  Surveyor(const Program& slice, const ExecutionInput& input, std::uint64_t most)
      : short_(slice),
        image_(short_.program, input),
        buffers_(with_workspace(input)),
        memory_(buffers_, survey_memory),
        environment_(short_.program, image_, memory_),
        leaper_(slice),
        most_(most) {}

  /// Warp instructions of a block; infinite if they are too many, nullopt if it fails.
  std::optional<double> work_of(std::uint64_t number) {
    block_.start(environment_, number);
    Leaps sink;
    sink.surveyor = this;
    left_out_ = 0;
    leaper_.begin();
    Turns turns;
    turns.block = std::max<std::uint64_t>(1, most_ / block_part);
    BlockFault failed;
    block_.executed = 0;
    const BlockState state = run_block(block_, sink, turns, failed);
    spent_ += block_.executed;
    if (state == BlockState::faulted) return {};
    if (state == BlockState::suspended) return std::numeric_limits<double>::infinity();
    return static_cast<double>(block_.executed + left_out_);
  }
  /// Steps that were taken: those over what is left out or passed together count once.
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

 private:
  struct Leaps : NoSink {
    Surveyor* surveyor = nullptr;
    void executed(const Warp&, std::uint32_t i, LaneMask, LaneMask) {
      surveyor->left_out_ += surveyor->short_.passed[i];
    }
    void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) {
      Warp& own = surveyor->block_.warps[warp.number];
      surveyor->left_out_ += surveyor->leaper_.leap(own, i, active, taken);
    }
  };

  ShortSlice short_;
  LaunchImage image_;
  std::vector<ExecutionBuffer> buffers_;
  GlobalMemory memory_;
  Environment environment_;
  Block block_;
  LoopLeaper leaper_;
  std::uint64_t most_ = 0, spent_ = 0, left_out_ = 0;
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

/// Leaves a corner to stand for itself alone: its neighbour takes the rest of its share.
void set_alone(std::uint64_t corner, std::vector<BlockPlace>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].block != corner || places.size() < 2) continue;
    BlockPlace& neighbour = i + 1 < places.size() ? places[i + 1] : places[i - 1];
    neighbour.size += places[i].size - 1;
    places[i].size = 1;
  }
}

/// A step, coprime to `places`, in which any number of them is spread evenly: by the golden ratio.
std::uint64_t even_step(std::uint64_t places) {
  std::uint64_t step = static_cast<std::uint64_t>(0.618 * static_cast<double>(places)) | 1U;
  while (std::gcd(step, places) != 1) step += 2;
  return step;
}

/// The blocks at the grid's corners: where work grows or falls along an axis, its extremes.
std::vector<std::uint64_t> corner_blocks(const Extent& grid) {
  std::vector<std::uint64_t> blocks;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Extent at = {(corner & 1U) != 0 ? grid[0] - 1 : 0, (corner & 2U) != 0 ? grid[1] - 1 : 0,
                       (corner & 4U) != 0 ? grid[2] - 1 : 0};
    blocks.push_back(block_number(at, grid));
  }
  return blocks;
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

double BlockSurvey::error() const {
  double squares = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double step = work[i] - work[i + 1], size = static_cast<double>(places[i].size);
    if (std::isfinite(step)) squares += size * (size - 1) * step * step / 2;
  }
  const double all = total();
  return squares > 0 && std::isfinite(all) ? two_sigma * std::sqrt(squares) / all : 0;
}

namespace {

/// Looks at blocks of a grid, each at most once.
class Looking {
 public:
  Looking(const Program& slice, const ExecutionInput& input, std::uint64_t most)
      : surveyor_(slice, input, most),
        blocks_(input.blocks()),
        corners_(corner_blocks(input.grid)) {
    std::sort(corners_.begin(), corners_.end());
    corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
  }

  [[nodiscard]] bool look(std::uint64_t block) {
    const auto work = surveyor_.work_of(block);
    if (!work) return false;
    seen_.emplace_back(block, *work);
    const bool corner = std::binary_search(corners_.begin(), corners_.end(), block);
    (corner ? at_corners_ : between_).add(*work);
    return true;
  }

  [[nodiscard]] bool look_at_corners() {
    return std::all_of(corners_.begin(), corners_.end(), [&](auto block) { return look(block); });
  }

  /// `drawn` blocks, evenly spread however early the work ends: at `limit`, but not before `least`.
  [[nodiscard]] bool look_at(std::uint64_t drawn, std::uint64_t limit, std::uint64_t least = 0) {
    std::vector<std::uint64_t> before;
    for (const auto& [block, work] : seen_) before.push_back(block);
    std::sort(before.begin(), before.end());
    const std::uint64_t step = even_step(drawn);
    for (std::uint64_t k = 0; k < drawn && (spent() <= limit || k < least); ++k) {
      const std::uint64_t block = drawn_place(blocks_, drawn, k * step % drawn).block;
      if (!std::binary_search(before.begin(), before.end(), block) && !look(block)) return false;
    }
    return true;
  }

  /// Whether the blocks between the corners differ by this factor at most.
  [[nodiscard]] bool are_alike(double factor) const { return between_.alike(factor); }
  [[nodiscard]] bool corners_are_alike(double factor) const { return at_corners_.alike(factor); }
  [[nodiscard]] std::uint64_t spent() const { return surveyor_.spent(); }
  [[nodiscard]] std::uint64_t count() const { return seen_.size(); }

  /// How many blocks so much more work suffices for.
  [[nodiscard]] std::uint64_t affordable(std::uint64_t work) const {
    const double each = static_cast<double>(spent()) / static_cast<double>(count());
    const double places = static_cast<double>(work) / std::max(1.0, each);
    return static_cast<std::uint64_t>(std::min(static_cast<double>(blocks_), places));
  }

  [[nodiscard]] BlockSurvey survey() {
    std::sort(seen_.begin(), seen_.end());
    BlockSurvey survey;
    for (const auto& [block, work] : seen_) {
      survey.places.push_back({block, 1});
      survey.work.push_back(work);
    }
    share_out(survey.places, blocks_);
    for (const std::uint64_t corner : corners_) set_alone(corner, survey.places);
    survey.unlooked = 1 - static_cast<double>(count()) / static_cast<double>(blocks_);
    return survey;
  }

 private:
  struct Range {
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    void add(double work) {
      shortest = std::min(shortest, work);
      longest = std::max(longest, work);
    }
    [[nodiscard]] bool alike(double factor) const { return longest <= factor * shortest; }
  };

  Surveyor surveyor_;
  std::uint64_t blocks_;
  std::vector<std::uint64_t> corners_;
  std::vector<std::pair<std::uint64_t, double>> seen_;  ///< blocks and their work
  Range at_corners_, between_;
};

/// How long blocks that look alike are looked at. What sums of the index decide, decided_kinds()
/// finds without looking; a single block that data choose, or bits of the index, is found only by
/// looking at most of the grid.
class Patience {
 public:
  Patience(bool data, std::uint64_t most, std::uint64_t blocks)
      : work(most / (data ? 8 : 32)),
        most_(most),
        factor_(data ? 1 : alike),
        fewest_(data ? blocks / 2 : blocks + 1) {}

  const std::uint64_t work;  ///< for blocks that look alike

  /// Places that are looked at, however much work that is.
  [[nodiscard]] std::uint64_t least(const Looking& looking) const {
    return looking.corners_are_alike(factor_) ? 2 : fewest_places;
  }
  [[nodiscard]] bool ends(const Looking& looking) const {
    const std::uint64_t left = most_ - std::min(most_, looking.spent());
    return looking.are_alike(factor_) && looking.affordable(left) < fewest_;
  }

 private:
  std::uint64_t most_;
  double factor_;         ///< between blocks that count as alike
  std::uint64_t fewest_;  ///< blocks that all of the work must suffice for
};

enum class Looked : std::uint8_t { patiently, briefly, failed };

/// Looks at as many blocks as are worth it: briefly where they look alike.
Looked look_at_all(Looking& looking, std::uint64_t blocks, std::uint64_t most, bool data) {
  const Patience patience(data, most, blocks);
  const std::uint64_t first = std::min(blocks, first_places);
  if (!looking.look_at_corners()) return Looked::failed;
  if (!looking.look_at(first, patience.work, patience.least(looking))) return Looked::failed;
  if (patience.ends(looking)) {
    if (looking.spent() >= patience.work) return Looked::briefly;
    const std::uint64_t more = looking.affordable(patience.work - looking.spent());
    if (!looking.look_at(more, patience.work)) return Looked::failed;
    if (patience.ends(looking)) return Looked::briefly;
  }
  if (!looking.look_at(first, most)) return Looked::failed;
  const bool enough = looking.spent() > most / 2;
  if (!enough && !looking.look_at(looking.affordable(most - looking.spent()), most))
    return Looked::failed;
  return Looked::patiently;
}

}  // namespace

std::optional<BlockSurvey> survey_blocks(const Program& program, const ExecutionInput& input,
                                         std::uint64_t most) {
  if (program.moving) return {};
  const Program slice = control_slice(program);
  if (has_global_answers(slice)) return {};
  const std::uint64_t blocks = input.blocks();
  const bool data = !follows_linear_index(slice);
  Looking looking(slice, input, most);
  const Looked looked = look_at_all(looking, blocks, most, data);
  const bool few = looking.count() < std::min(blocks, fewest_places);
  if (looked == Looked::failed || few) return {};
  BlockSurvey survey = looking.survey();
  survey.by_index = looked == Looked::briefly && !data;
  return survey;
}

namespace {

/// Makes the longest block a kind of its own if its kind has shorter ones: a launch may wait for
/// it, so that it has to be executed, not only one like it.
void set_longest_apart(const BlockSurvey& survey, BlockKinds& found, std::vector<double>& work) {
  const auto longest = std::max_element(survey.work.begin(), survey.work.end());
  BlockKind& kind = found.kinds.back();
  if (kind.places.size() < 2 || std::isinf(*longest) || *longest <= alike * work.back()) return;
  BlockPlace apart = survey.places[static_cast<std::size_t>(longest - survey.work.begin())];
  apart.work = *longest;
  std::erase_if(kind.places, [&](const BlockPlace& place) { return place.block == apart.block; });
  const auto all = static_cast<double>(kind.blocks), own = static_cast<double>(apart.size);
  work.back() = (work.back() * all - *longest * own) / std::max(1.0, all - own);
  kind.blocks -= apart.size;
  found.kinds.push_back({apart.size, 0, {apart}});
  work.push_back(*longest);
}

}  // namespace

BlockKinds kinds_by_work(const BlockSurvey& survey, std::vector<double>& work, double most_kinds) {
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
    BlockPlace place = survey.places[i];
    place.work = std::isinf(own) ? 0 : own;
    kind.blocks += place.size;
    kind.places.push_back(place);
    const double share = static_cast<double>(place.size) / static_cast<double>(kind.blocks);
    work.back() = std::isinf(own) ? own : work.back() + (own - work.back()) * share;
  }
  set_longest_apart(survey, found, work);
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
