// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// Many launches of one kernel: axes, and the points of their cross product as a range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// What varies from point to point: the cross product of axes, the last of which changes fastest.
/// A value, as Launch is; what cannot be read is the error of Session::sweep().
class Sweep {
 public:
  Sweep() = default;  ///< one point: the launch itself

  /// An axis as --sweep reads it: "block=32:1024:32", "n=1000:1000000:*10", "clock=base,boost".
  /// NAME is an argument's name or place, an option that may be swept (block, grid, smem, regs,
  /// clock, ..), hw.PATH or option.MODEL.NAME.
  FOREWARP_EXPORT Sweep& over(std::string_view axis);
  /// From, from + step, .. up to `to`.
  FOREWARP_EXPORT Sweep& over(std::string_view name, double from, double to, double step);
  /// These values.
  FOREWARP_EXPORT Sweep& over(std::string_view name, const std::vector<double>& values);

  /// The axes as --sweep reads them.
  [[nodiscard]] const std::vector<std::string>& axes() const { return axes_; }

 private:
  std::vector<std::string> axes_;
};

/// One axis of the points of a sweep.
struct Axis {
  std::string name;                ///< as it was given
  bool numeric = true;             ///< every value is a plain number
  std::vector<double> values;      ///< if it is numeric
  std::vector<std::string> texts;  ///< as the command line would take them
};

/// One point. Without a prediction it has an error, and its times are NaN.
struct Point {
  std::uint64_t index = 0;                                    ///< in the cross product, from 0
  double time_ms = std::numeric_limits<double>::quiet_NaN();  ///< milliseconds
  double low_ms = std::numeric_limits<double>::quiet_NaN();   ///< NaN where nothing was executed
  double high_ms = std::numeric_limits<double>::quiet_NaN();  ///< NaN where nothing was executed
  std::string limited_by;                                     ///< dram, issue, latency, ..
  std::uint32_t blocks_per_sm = 0;                            ///< resident at once
  std::uint32_t warps_per_sm = 0;                             ///< resident at once
  double needed_warps = 0;                                    ///< per SM, to hide latency
  double waves = 0;                                           ///< turns that the grid takes
  double latency_cycles = 0;                                  ///< of a lone warp, SM cycles
  std::optional<Error> error;                                 ///< why there is no prediction
};

/// The points of a sweep as a range, in their order: `for (const Point& point : points)`. A point
/// is computed when it is reached, some ahead of it, by the session's threads; what comes out does
/// not depend on their number, and memory does not grow with the number of points. A range may be
/// passed once, by one thread; begin() goes on where the last iterator stood.
class Points {
 public:
  struct State;  ///< what it holds; the library's own

  class iterator;
  /// The end of the range.
  using sentinel = std::default_sentinel_t;

  FOREWARP_EXPORT Points(Points&&) noexcept;             ///< the other has no points any more
  FOREWARP_EXPORT Points& operator=(Points&&) noexcept;  ///< as the move
  FOREWARP_EXPORT ~Points();                             ///< gives back what the session keeps

  [[nodiscard]] FOREWARP_EXPORT std::uint64_t size() const;  ///< of the cross product
  [[nodiscard]] FOREWARP_EXPORT bool executes() const;  ///< the kernel is executed for each point
  [[nodiscard]] FOREWARP_EXPORT std::vector<Axis> axes() const;  ///< with all of their values
  /// The values of a point, one for each axis, as the command line would take them.
  [[nodiscard]] FOREWARP_EXPORT std::vector<std::string> values(std::uint64_t index) const;

  [[nodiscard]] iterator begin();                     ///< the first point that was not passed
  [[nodiscard]] static sentinel end() { return {}; }  ///< behind the last

 private:
  friend struct Access;
  friend class iterator;
  explicit Points(std::unique_ptr<State> state);
  [[nodiscard]] FOREWARP_EXPORT const Point* current();  // null at the end
  FOREWARP_EXPORT void advance();
  std::unique_ptr<State> state_;
};

/// Passes the points one by one.
class Points::iterator {
 public:
  using iterator_concept = std::input_iterator_tag;  ///< each point once
  using value_type = Point;                          ///< what it passes
  using difference_type = std::ptrdiff_t;            ///< of positions

  iterator() = default;                                           ///< of no range
  explicit iterator(Points& points) : points_(&points) {}         ///< where the range stands
  const Point& operator*() const { return *points_->current(); }  ///< until the next ++
  const Point* operator->() const { return points_->current(); }  ///< until the next ++
  iterator& operator++() {                                        ///< to the next point
    points_->advance();
    return *this;
  }
  void operator++(int) { points_->advance(); }  ///< to the next point
  /// Whether there is no point any more.
  friend bool operator==(const iterator& here, std::default_sentinel_t /*end*/) {
    return here.ended();
  }

 private:
  [[nodiscard]] bool ended() const { return points_->current() == nullptr; }
  Points* points_ = nullptr;
};

inline Points::iterator Points::begin() {
  return iterator(*this);
}

}  // namespace forewarp::FOREWARP_INLINEapi
