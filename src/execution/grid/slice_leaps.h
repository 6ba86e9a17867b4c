// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "execution/lowering/program.h"
#include "execution/state/warp.h"

namespace forewarp::execution {

/// A loop of which the slice keeps nothing but counters that grow by the same in each pass, and the
/// comparison that ends it.
struct CountedLoop {
  std::uint32_t first = 0, branch = 0;  ///< instructions
  std::vector<std::uint32_t> ops;       ///< kept ones, without the branch
  std::vector<std::uint32_t> cells;     ///< that they write

  [[nodiscard]] std::uint64_t length() const { return branch - first + 1; }
};

/// Leaps over passes of counted loops of a slice (see control_slice()). What a pass adds to the
/// counters is the same from then on when two passes have added the same, as all that they do is
/// linear. Passes are left out as long as each comparison turns out as before: none of what it
/// compares wraps around, or comes to or passes the other.
class LoopLeaper {
 public:
  explicit LoopLeaper(const Program& slice);

  void begin() { seen_ = 0; }  ///< of a block

  /// Warp instructions of the passes that were left out, after the branch was taken by `taken`.
  std::uint64_t leap(Warp& warp, std::uint32_t branch, LaneMask active, LaneMask taken);

 private:
  using Rows = std::vector<std::uint32_t>;  ///< all lanes of each cell of a loop
  using Row = std::array<std::uint32_t, lane_count>;

  /// What a comparison of the loop compares, by lane.
  struct Sides {
    Row a{}, b{};
  };

  static Rows rows_of(const Warp& warp, const CountedLoop& loop);
  void put(Warp& warp, const CountedLoop& loop, std::uint32_t passes) const;
  [[nodiscard]] bool repeats_after(Warp& warp, const CountedLoop& loop, std::uint32_t passes);
  std::uint64_t leap_over(Warp& warp, const CountedLoop& loop);

  const Program& slice_;
  std::vector<std::optional<CountedLoop>> loops_;
  std::uint32_t branch_ = 0;
  const Warp* warp_ = nullptr;
  LaneMask active_ = 0;
  unsigned seen_ = 0;
  Rows last_, added_;
  std::vector<Sides> sides_;  ///< of each comparison, in the pass tried last
};

/// A slice in which each run of skipped instructions of a basic block is passed in one step.
struct ShortSlice {
  explicit ShortSlice(const Program& slice);

  Program program;
  std::vector<std::uint32_t> passed;  ///< by instruction: those behind it that its step passes too
};

}  // namespace forewarp::execution
