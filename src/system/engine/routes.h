// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "system/description/system.h"

namespace forewarp::system {

/// Which links lead from one unit of a system to another: those of the fewest hops. Where several
/// ways have as few, the one whose units come first in the system's order, seen from its end.
class Routes {
 public:
  /// One link seen from one of its ends.
  struct Neighbour {
    std::size_t unit = 0, connection = 0;
    bool there = true;
  };

  explicit Routes(const System& system);

  [[nodiscard]] const std::vector<Neighbour>& neighbours(std::size_t unit) const {
    return neighbours_[unit];
  }
  /// Numbers of the links in the order in which they are passed, 2 connection + 1 against its
  /// order; none: no links lead there, or both are the same unit.
  [[nodiscard]] std::vector<std::size_t> between(std::size_t from, std::size_t to) const;

 private:
  /// The link by which each unit is reached; none: it is not.
  using Tree = std::vector<std::uint32_t>;
  static constexpr std::uint32_t none = UINT32_MAX;

  [[nodiscard]] Tree tree_from(std::size_t unit) const;

  const System& system_;
  std::vector<std::vector<Neighbour>> neighbours_;
  mutable std::unordered_map<std::size_t, Tree> trees_;  ///< by where they begin
};

}  // namespace forewarp::system
