// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "binding/occupancy.h"

namespace forewarp::binding {

/// The block's need that varies along a curve.
enum class CurveAxis : std::uint8_t { block, registers, shared };

/// "block", "regs", "smem".
[[nodiscard]] std::optional<CurveAxis> curve_axis(std::string_view name);

struct CurvePoint {
  std::uint32_t value = 0;  ///< threads, registers per thread, or dynamic shared bytes
  Occupancy occupancy;
};

/// Occupancy along one need, with the others as in `needs`: for each number of whole warps, each
/// register count, or each allocation unit of dynamic shared memory, up to a block's limit.
[[nodiscard]] std::vector<CurvePoint> occupancy_curve(const SmLimits& limits,
                                                      const BlockNeeds& needs, CurveAxis axis);

/// The least dynamic shared memory with which exactly `blocks` are resident; nullopt if that number
/// cannot be reached.
[[nodiscard]] std::optional<std::uint32_t> shared_for_residency(const SmLimits& limits,
                                                                BlockNeeds needs,
                                                                std::uint32_t blocks);

/// The last point of each run with equal blocks and limiters: up to this value, so many blocks.
[[nodiscard]] std::vector<CurvePoint> curve_steps(const std::vector<CurvePoint>& curve);

}  // namespace forewarp::binding
