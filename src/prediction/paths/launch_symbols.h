// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/compiled_expression.h"
#include "prediction/arguments/signature.h"
#include "program/launch.h"

namespace forewarp::prediction {

/// Values of the analysis's symbols under a launch: parameters (buffers by their addresses),
/// extents, and the indices of the thread looked at.
class LaunchSymbols {
 public:
  LaunchSymbols(const LaunchConfig& launch, const BoundArguments& arguments);

  /// An interior block, if there is one.
  void look_at_interior_block();
  void look_at_block(std::uint64_t linear);
  /// A block whose index does not depend on the grid's size, for access patterns.
  void look_at_second_block();
  /// Lane `lane` of warp `warp` of the block: threads follow each other with x fastest.
  void look_at_lane(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes);
  /// Corner 0 to 7 of the block: bit d set is the last thread in dimension d.
  void look_at_corner(std::uint32_t corner);
  /// False where it is an earlier corner too, as the block has one thread in a dimension.
  [[nodiscard]] bool is_own_corner(std::uint32_t corner) const;
  [[nodiscard]] bool lane_exists(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes) const;

  std::vector<std::int64_t> iterations;  ///< complete passes by loop; to be set before use
  std::vector<bool> between_passes;  ///< by loop: the middle lies between that pass and the next
  [[nodiscard]] const Binding& binding();

 private:
  LaunchConfig launch_;
  std::vector<std::uint8_t> bytes_, known_;
  Binding binding_;
};

}  // namespace forewarp::prediction
