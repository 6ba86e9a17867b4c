// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_survey.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/normal.h"
#include "execution/grid/control_slice.h"
#include "execution/grid/grid_runner.h"
#include "execution/grid/index_decisions.h"
#include "execution/grid/lane_blocks.h"
#include "execution/grid/slice_leaps.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t first_places = 64;  // blocks from which the cost of one is known
constexpr std::uint64_t fewest_places = 8;  // blocks of a survey that the work ended
constexpr std::uint64_t block_part = 4;     // part of all work that one block may take
constexpr std::size_t most_one_by_one = 8;  // blocks that are counted, if not at once
constexpr std::uint64_t most_places = std::uint64_t{1} << 20;
constexpr std::uint64_t survey_memory = std::uint64_t{1} << 30;  // bytes that they may touch

constexpr double too_many = std::numeric_limits<double>::infinity();
constexpr SurveyedWork too_long{too_many, too_many, false};

/// Runs sliced blocks: one by one, or where nothing of a thread decides, a warp of them at once.
class Surveyor {
 public:
  Surveyor(const Program& slice, const ExecutionInput& input, std::uint64_t most, bool at_once)
      : lanes_(at_once ? lane_blocks(slice) : std::nullopt),
        slice_(lanes_ ? lanes_->program : slice),
        short_(slice_),
        image_(short_.program, input),
        buffers_(with_workspace(input)),
        memory_(buffers_, survey_memory),
        environment_(short_.program, image_, memory_),
        leaper_(slice_),
        warps_(input.warps_per_block()),
        most_(most) {}

  /// How many blocks run at once.
  [[nodiscard]] std::size_t width() const { return lanes_ ? lane_count : 1; }

  /// Adds the work of up to width() blocks; false if they fail, or cannot be looked at together.
  [[nodiscard]] bool look(std::span<const std::uint64_t> numbers, std::vector<SurveyedWork>& work) {
    const BlockState state = run(numbers);
    if (state == BlockState::faulted || (at_once() && assumed())) return false;
    const LaneMask late = state == BlockState::suspended ? block_.warps.front().alive : 0;
    const std::size_t first = work.size();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      work.push_back(state == BlockState::suspended && !at_once() ? too_long : counted(i));
    if (!at_once() || late == 0) return true;
    // Some have waited for others: alone they may be short.
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!has_lane(late, static_cast<unsigned>(i))) continue;
      work[first + i] = too_long;
      if (numbers.size() == 1 || spent_ > most_) continue;
      const BlockState alone = run(numbers.subspan(i, 1));
      if (alone == BlockState::faulted || assumed()) return false;
      if (alone == BlockState::ended) work[first + i] = counted(0);
    }
    return true;
  }
  /// Up to width() blocks, with what they have executed if they do not end; none: one fails.
  [[nodiscard]] std::vector<CountedBlock> count(std::span<const std::uint64_t> numbers) {
    const BlockState state = run(numbers);
    if (state == BlockState::faulted || (at_once() && assumed())) return {};
    const LaneMask late = block_.warps.front().alive;
    std::vector<CountedBlock> blocks;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      blocks.push_back({numbers[i], counted(i)});
      blocks.back().work.ended =
          state == BlockState::ended || (at_once() && !has_lane(late, static_cast<unsigned>(i)));
    }
    return blocks;
  }
  [[nodiscard]] bool at_once() const { return lanes_.has_value(); }
  /// Steps that were taken: those over what is left out or passed together count once.
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

 private:
  BlockState run(std::span<const std::uint64_t> numbers) {
    if (lanes_) {
      lanes_->start(block_, environment_, numbers);
    } else {
      block_.start(environment_, numbers.front());
    }
    Counts sink;
    sink.surveyor = this;
    all_lanes_ = block_.warps.front().all;
    of_warps_.assign(block_.warps.size(), 0);
    of_lanes_.fill(0);
    leaper_.begin();
    Turns turns;
    turns.block = std::max<std::uint64_t>(1, most_ / block_part);
    BlockFault failed;
    block_.executed = 0;
    const BlockState state = run_block(block_, sink, turns, failed);
    spent_ += block_.executed;
    return state;
  }

  /// Whether a condition was unknown: then half of a block's lanes go each way, not half of the
  /// blocks.
  [[nodiscard]] bool assumed() const {
    return block_.warps.front().unknown.any &&
           std::ranges::any_of(environment_.assumed, [](auto how) { return how != 0; });
  }

  struct Counts : NoSink {
    Surveyor* surveyor = nullptr;
    void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask) {
      surveyor->add(warp, active, 1 + surveyor->short_.passed[i]);
    }
    void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) {
      Warp& own = surveyor->block_.warps[warp.number];
      surveyor->add(warp, active, surveyor->leaper_.leap(own, i, active, taken));
    }
  };

  /// Where lanes are blocks, what all of them execute is counted by the warp.
  void add(const Warp& warp, LaneMask active, std::uint64_t instructions) {
    if (!lanes_ || active == all_lanes_) {
      of_warps_[warp.number] += instructions;
      return;
    }
    for (LaneMask left = active; left != 0; left &= left - 1)
      of_lanes_[static_cast<unsigned>(std::countr_zero(left))] += instructions;
  }

  [[nodiscard]] SurveyedWork counted(std::size_t i) const {
    if (lanes_) {
      const auto warp = static_cast<double>(of_warps_.front() + of_lanes_[i]);
      return {warp * static_cast<double>(warps_), warp};
    }
    const auto all = std::accumulate(of_warps_.begin(), of_warps_.end(), std::uint64_t{0});
    return {static_cast<double>(all), static_cast<double>(std::ranges::max(of_warps_))};
  }

  std::optional<LaneBlocks> lanes_;
  const Program& slice_;
  ShortSlice short_;
  LaunchImage image_;
  std::vector<ExecutionBuffer> buffers_;
  GlobalMemory memory_;
  Environment environment_;
  Block block_;
  LoopLeaper leaper_;
  std::uint32_t warps_;
  std::uint64_t most_ = 0, spent_ = 0;
  LaneMask all_lanes_ = 0;
  std::vector<std::uint64_t> of_warps_;               ///< with what is left out
  std::array<std::uint64_t, lane_count> of_lanes_{};  ///< .. where not all of them run
};

/// As many of them, evenly spread.
std::vector<std::uint64_t> evenly(std::span<const std::uint64_t> blocks, std::size_t most) {
  std::vector<std::uint64_t> some;
  const std::size_t parts = std::min(most, blocks.size());
  for (std::size_t i = 0; i < parts; ++i)
    some.push_back(blocks[(2 * i + 1) * blocks.size() / (2 * parts)]);
  return some;
}

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

/// The blocks at the grid's corners, ascending: where work grows or falls along an axis, its
/// extremes.
std::vector<std::uint64_t> corner_blocks(const Extent& grid) {
  std::vector<std::uint64_t> blocks;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Extent at = {(corner & 1U) != 0 ? grid[0] - 1 : 0, (corner & 2U) != 0 ? grid[1] - 1 : 0,
                       (corner & 4U) != 0 ? grid[2] - 1 : 0};
    blocks.push_back(block_number(at, grid));
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

bool has_global_answers(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::atomic && op.space != MemorySpace::shared &&
           op.has(flag::returns);
  });
}

/// What decides where blocks go; nullopt: not what they do alone.
std::optional<Program> lone_slice(const Program& program) {
  if (program.moving) return {};
  Program slice = control_slice(program);
  if (has_global_answers(slice)) return {};
  return slice;
}

/// Looks at blocks of a grid, each at most once.
class Looking {
 public:
  Looking(const Program& slice, const ExecutionInput& input, std::uint64_t most, bool at_once)
      : surveyor_(slice, input, most, at_once),
        grid_(input.grid),
        blocks_(input.blocks()),
        corners_(corner_blocks(input.grid)) {}

  [[nodiscard]] bool look_at_corners() {
    for (const std::uint64_t corner : corners_) {
      if (!look({corner})) return false;
    }
    return true;
  }

  /// `drawn` blocks, evenly spread however early the work ends: at `limit`, but not before `least`.
  [[nodiscard]] bool look_at(std::uint64_t drawn, std::uint64_t limit, std::uint64_t least = 0) {
    std::vector<std::uint64_t> before;
    before.reserve(seen_.size());
    for (const Seen& seen : seen_) before.push_back(seen.block);
    std::sort(before.begin(), before.end());
    const std::uint64_t step = even_step(drawn);
    std::vector<std::uint64_t> next;
    for (std::uint64_t k = 0; k < drawn && (spent() <= limit || k < least); ++k) {
      const std::uint64_t block = drawn_place(blocks_, drawn, k * step % drawn).block;
      if (std::binary_search(before.begin(), before.end(), block)) continue;
      next.push_back(block);
      if (next.size() < surveyor_.width()) continue;
      if (!look(next)) return false;
      next.clear();
    }
    return next.empty() || look(next);
  }

  /// Whether the blocks between the corners differ by this factor at most.
  [[nodiscard]] bool are_alike(double factor) const { return between_.alike(factor); }
  [[nodiscard]] bool corners_are_alike(double factor) const { return at_corners_.alike(factor); }
  [[nodiscard]] std::uint64_t spent() const { return surveyor_.spent(); }
  [[nodiscard]] std::uint64_t count() const { return seen_.size(); }
  [[nodiscard]] bool at_once() const { return surveyor_.at_once(); }

  /// How many blocks so much more work suffices for.
  [[nodiscard]] std::uint64_t affordable(std::uint64_t work) const {
    const double each = static_cast<double>(spent()) / static_cast<double>(count());
    const double places = static_cast<double>(work) / std::max(1.0 / lane_count, each);
    return static_cast<std::uint64_t>(
        std::min(static_cast<double>(std::min(blocks_, most_places)), places));
  }

  [[nodiscard]] BlockSurvey survey() {
    std::sort(seen_.begin(), seen_.end(),
              [](const Seen& a, const Seen& b) { return a.block < b.block; });
    BlockSurvey survey;
    for (const Seen& seen : seen_) {
      survey.places.push_back({seen.block, 1});
      survey.work.push_back(seen.work.all);
      survey.longest.push_back(seen.work.longest);
    }
    share_out(survey.places, blocks_);
    for (const std::uint64_t corner : corners_) set_alone(corner, survey.places);
    survey.unlooked = 1 - static_cast<double>(count()) / static_cast<double>(blocks_);
    return survey;
  }

  /// Corners are blocks of their own kind, which are not drawn.
  [[nodiscard]] UnseenLongest unseen() const {
    std::vector<DrawnLength> drawn;
    double known = 0;
    for (const Seen& seen : seen_) {
      known = std::max(known, seen.work.longest);
      if (!std::binary_search(corners_.begin(), corners_.end(), seen.block))
        drawn.push_back({place_in(grid_, seen.block), seen.work.longest});
    }
    return unseen_longest(drawn, static_cast<double>(blocks_ - corners_.size()), known);
  }

 private:
  struct Seen {
    std::uint64_t block = 0;
    SurveyedWork work;
  };
  struct Range {
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    void add(double work) {
      shortest = std::min(shortest, work);
      longest = std::max(longest, work);
    }
    [[nodiscard]] bool alike(double factor) const { return longest <= factor * shortest; }
  };

  bool look(const std::vector<std::uint64_t>& blocks) {
    work_.clear();
    if (!surveyor_.look(blocks, work_)) return false;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      seen_.push_back({blocks[i], work_[i]});
      const bool corner = std::binary_search(corners_.begin(), corners_.end(), blocks[i]);
      (corner ? at_corners_ : between_).add(work_[i].all);
    }
    return true;
  }

  Surveyor surveyor_;
  Extent grid_;
  std::uint64_t blocks_;
  std::vector<std::uint64_t> corners_;
  std::vector<Seen> seen_;
  std::vector<SurveyedWork> work_;  ///< of the blocks at hand
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
        factor_(data ? 1 : alike_work),
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
  if (looking.spent() > most / 2) return Looked::patiently;
  // What is left of a grid may hold the longest block: the work may double where it then suffices.
  const bool all = looking.affordable(2 * most - looking.spent()) >= blocks;
  const std::uint64_t limit = all ? 2 * most : most;
  if (!looking.look_at(looking.affordable(limit - looking.spent()), limit)) return Looked::failed;
  return Looked::patiently;
}

}  // namespace

std::array<double, 3> place_in(const Extent& grid, std::uint64_t block) {
  const Extent at = block_index(block, grid);
  std::array<double, 3> place{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    place[axis] = static_cast<double>(at[axis]) / static_cast<double>(grid[axis]);
  return place;
}

bool is_corner(const Extent& grid, std::uint64_t block) {
  return std::ranges::binary_search(corner_blocks(grid), block);
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

std::optional<BlockSurvey> survey_blocks(const Program& program, const ExecutionInput& input,
                                         std::uint64_t most) {
  const std::optional<Program> lone = lone_slice(program);
  if (!lone) return {};
  const Program& slice = *lone;
  for (const bool at_once : {true, false}) {
    Looking looking(slice, input, most, at_once);
    const bool data = !follows_linear_index(slice);
    const std::uint64_t blocks = input.blocks();
    const Looked looked = look_at_all(looking, blocks, most, data);
    if (looked == Looked::failed && looking.at_once()) continue;  // one by one they may not
    const bool few = looking.count() < std::min(blocks, fewest_places);
    if (looked == Looked::failed || few) return {};
    BlockSurvey survey = looking.survey();
    survey.by_index = looked == Looked::briefly && !data;
    if (data) survey.unseen = looking.unseen();
    return survey;
  }
  return {};
}

std::vector<CountedBlock> count_blocks(const Program& program, const ExecutionInput& input,
                                       std::span<const std::uint64_t> blocks, std::uint64_t most,
                                       std::uint64_t& spent) {
  const std::optional<Program> slice = lone_slice(program);
  if (!slice || blocks.empty() || most == 0) return {};
  Surveyor together(*slice, input, block_part * most, true);
  if (together.at_once()) {
    const std::vector<std::uint64_t> some = evenly(blocks, together.width());
    auto counted = together.count(some);
    spent += together.spent();
    if (!counted.empty()) return counted;
  }
  std::vector<CountedBlock> counted;
  const std::vector<std::uint64_t> some = evenly(blocks, most_one_by_one);
  // If they cannot run at once that is mostly known early.
  constexpr std::uint64_t least_part = 8;
  std::uint64_t left = std::max(most / least_part, most - std::min(most, together.spent()));
  for (std::size_t i = 0; i < some.size(); ++i) {
    // Half of the steps are kept for the one that is found to be the longest.
    const std::uint64_t parts = some.size() > 1 ? 2 * some.size() - i : 1;
    if (left < parts) break;
    Surveyor alone(*slice, input, block_part * (left / parts), false);
    const auto one = alone.count({&some[i], 1});
    spent += alone.spent();
    left -= std::min(left, alone.spent());
    counted.insert(counted.end(), one.begin(), one.end());
  }
  return counted;
}

}  // namespace forewarp::execution
