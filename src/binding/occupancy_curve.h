// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "binding/occupancy.h"

namespace forewarp::binding {

/// The need that varies along a curve.
enum class CurveAxis : std::uint8_t { block, registers, shared };

/// "block", "regs", "smem".
[[nodiscard]] std::optional<CurveAxis> curve_axis(std::string_view name);

struct CurvePoint {
  std::uint32_t value = 0;  ///< threads, registers per thread, or dynamic shared bytes
  Occupancy occupancy;
};

/// Occupancy along one need, the others as in `needs`: every whole warp of threads, every register
/// count, or every allocation unit of dynamic shared memory, up to what a block may have.
[[nodiscard]] std::vector<CurvePoint> occupancy_curve(const SmLimits& limits,
                                                      const BlockNeeds& needs, CurveAxis axis);

/// The least dynamic shared memory with which at most `blocks` are resident; nothing when just that
/// many cannot be reached.
[[nodiscard]] std::optional<std::uint32_t> shared_for_residency(const SmLimits& limits,
                                                                BlockNeeds needs,
                                                                std::uint32_t blocks);

/// The last point of every run with equal blocks and limiters: "up to VALUE, so many blocks".
[[nodiscard]] std::vector<CurvePoint> curve_steps(const std::vector<CurvePoint>& curve);

}  // namespace forewarp::binding
