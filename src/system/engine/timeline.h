// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/layers.h"

namespace forewarp::system {

/// What a segment of a lane was spent on.
enum class Activity : std::uint8_t { compute, kernel, copy, message, delay, disk };

[[nodiscard]] std::string_view activity_name(Activity activity);

/// An instant of a lane: a process or a stream.
struct Instant {
  std::uint32_t lane = 0;
  double at = 0;  ///< s
};

/// A stretch of time in which a lane did or awaited one thing.
struct Segment {
  std::uint32_t lane = 0;
  Activity activity = Activity::compute;
  std::string name;  ///< of the kernel, or the way of a copy
  double begin = 0, end = 0;
  Instant cause{};         ///< what it could not begin before
  bool has_cause = false;  ///< without, that was the segment before it in its lane
  std::uint32_t gpu = 0;   ///< of a kernel or a copy: its number among the system's GPUs
  double bytes = 0;        ///< of a copy
  bool is_pinned = false;  ///< of a copy: its memory of the host
};

/// What happened when, up to a number of segments; after that only the count goes on.
class Timeline {
 public:
  static constexpr std::size_t most_segments = 400'000;
  static constexpr std::size_t longest_name = 200;  ///< of a segment; the rest is cut off

  std::uint32_t add_lane(std::string name);
  void add(Segment segment);
  /// Nothing more is kept: who has a segment need only say so.
  [[nodiscard]] bool is_full() const { return segments_.size() >= most_segments; }
  void drop() { ++dropped_; }

  [[nodiscard]] const std::vector<std::string>& lanes() const { return lanes_; }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  std::vector<std::string> lanes_;
  std::vector<Segment> segments_;
  std::uint64_t dropped_ = 0;
};

}  // namespace forewarp::system
