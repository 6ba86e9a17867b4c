// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "api/state.h"
#include "binding/launch_check.h"
#include "binding/occupancy_curve.h"
#include "model/occupancy_json.h"

namespace forewarp::api {
namespace {

binding::BlockNeeds needs_of(const BlockNeeds& from) {
  binding::BlockNeeds needs;
  needs.threads = from.threads;
  needs.registers = from.registers;
  needs.static_shared = from.static_shared;
  needs.dynamic_shared = from.dynamic_shared;
  needs.carveout_percent = from.carveout_percent;
  needs.barriers = from.barriers;
  return needs;
}

Expected<hardware::SmLimits> limits_of(const hardware::HardwareDatabase& data, std::string_view gpu,
                                       std::string_view capability) {
  if (!gpu.empty()) {
    auto board = data.load(gpu);
    if (!board) return error_of(std::move(board).error());
    return board->limits;
  }
  if (capability.empty()) {
    return Error{"occupancy", "no GPU was named", "gpu= or cc='X.Y'", ""};
  }
  const auto read = hardware::parse_capability(capability);
  if (!read) return error_of(read.error());
  auto limits = data.limits(*read);
  if (!limits) return error_of(std::move(limits).error());
  return *std::move(limits);
}

}  // namespace

Expected<std::string> Session::occupancy_json(std::string_view gpu, std::string_view capability,
                                              const BlockNeeds& needs) const {
  return guarded([&]() -> Expected<std::string> {
    const auto limits = limits_of(state_->database, gpu, capability);
    if (!limits) return limits.error();
    const binding::BlockNeeds block = needs_of(needs);
    const auto accepted = binding::check_block(*limits, block);
    const std::string refusal = accepted ? "" : accepted.error().line();
    return model::occupancy_json(*limits, binding::occupancy(*limits, block), refusal).dump();
  });
}

Expected<std::vector<OccupancyPoint>> Session::occupancy_curve(std::string_view gpu,
                                                               std::string_view capability,
                                                               const BlockNeeds& needs,
                                                               std::string_view along) const {
  return guarded([&]() -> Expected<std::vector<OccupancyPoint>> {
    const auto axis = binding::curve_axis(along);
    if (!axis) return Error{"along", "'" + std::string(along) + "'", "block, regs or smem", ""};
    const auto limits = limits_of(state_->database, gpu, capability);
    if (!limits) return limits.error();
    std::vector<OccupancyPoint> points;
    for (const binding::CurvePoint& one :
         binding::occupancy_curve(*limits, needs_of(needs), *axis)) {
      points.push_back({one.value, one.occupancy.blocks, one.occupancy.warps});
    }
    return points;
  });
}

}  // namespace forewarp::api
