// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/timeline.h"

#include <array>
#include <utility>

namespace forewarp::system {

std::string_view activity_name(Activity activity) {
  constexpr std::array<std::string_view, 6> names = {"compute", "kernel", "copy",
                                                     "message", "delay",  "disk"};
  return names[static_cast<std::size_t>(activity)];
}

std::uint32_t Timeline::add_lane(std::string name) {
  lanes_.push_back(std::move(name));
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

void Timeline::add(Segment segment) {
  if (segment.name.size() > longest_name) segment.name = segment.name.substr(0, longest_name);
  if (segments_.size() < most_segments) {
    constexpr std::size_t few = 1024;
    if (segments_.size() == few)
      segments_.reserve(most_segments);  // memory that is not used costs nothing
    segments_.push_back(std::move(segment));
  } else {
    ++dropped_;
  }
}

}  // namespace forewarp::system
