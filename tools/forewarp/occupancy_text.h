// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "binding/occupancy_curve.h"

namespace forewarp::cli {

/// One answer of `forewarp occupancy`, ready to be shown in any format.
struct OccupancyAnswer {
  std::string gpu;         ///< id and name; empty when only a capability was asked for
  std::string capability;  ///< "7.5"
  SmLimits limits;
  BlockNeeds needs;
  Occupancy occupancy;
  std::string refusal;  ///< the error a launch would give; empty when it is accepted
  std::string axis;     ///< block, regs or smem; empty without a curve
  std::vector<CurvePoint> curve;
};

/// 256 threads x 40 registers, 0 + 12288 bytes shared on 7.0
///   blocks      6 per SM
///   warps       48 of 64 per SM (75 %)
///   limited by  regs
///   limits      warps 8, regs 6, smem 8, blocks 32, barriers -
///   shared      12288 bytes charged per block, 98304 bytes set up
///   launch      accepted
[[nodiscard]] std::string occupancy_as_text(const OccupancyAnswer& answer);

/// Keys: docs/result.md.
[[nodiscard]] std::string occupancy_as_json(const OccupancyAnswer& answer);

/// One line per point of the curve, or one line when there is none.
[[nodiscard]] std::string occupancy_as_csv(const OccupancyAnswer& answer);

/// "warps+regs"
[[nodiscard]] std::string limiters_text(Limiter set);

}  // namespace forewarp::cli
