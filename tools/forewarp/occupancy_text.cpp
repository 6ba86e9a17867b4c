// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "occupancy_text.h"

#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/occupancy_json.h"

namespace forewarp::cli {
namespace {

std::string limit_text(std::uint32_t limit) {
  return limit == unlimited ? "-" : std::to_string(limit);
}

nlohmann::ordered_json point_json(const CurvePoint& point) {
  return {{"value", point.value},
          {"blocks_per_sm", point.occupancy.blocks},
          {"warps_per_sm", point.occupancy.warps},
          {"limiter", limiter_names(point.occupancy.limiters)}};
}

std::string curve_text(const OccupancyAnswer& answer) {
  std::string text =
      fmt::format("  {:>8}  {:>6}  {:>5}  limited by\n", "up to " + answer.axis, "blocks", "warps");
  for (const auto& step : curve_steps(answer.curve)) {
    const std::string bar(step.occupancy.warps, '#');
    text += fmt::format("  {:>8}  {:>6}  {:>5}  {:22} {}\n", step.value, step.occupancy.blocks,
                        step.occupancy.warps, limiters_text(step.occupancy.limiters), bar);
  }
  return text;
}

std::string limits_text(const Occupancy& found) {
  return fmt::format("warps {}, regs {}, smem {}, blocks {}, barriers {}",
                     limit_text(found.by_warps), limit_text(found.by_registers),
                     limit_text(found.by_shared), limit_text(found.by_blocks),
                     limit_text(found.by_barriers));
}

}  // namespace

std::string limiters_text(Limiter set) {
  return join(limiter_names(set), "+");
}

std::string occupancy_as_text(const OccupancyAnswer& answer) {
  const auto& needs = answer.needs;
  const auto& found = answer.occupancy;
  std::string text;
  auto out = std::back_inserter(text);
  const std::string where =
      answer.gpu.empty() ? answer.capability : answer.gpu + " (" + answer.capability + ")";
  if (!answer.axis.empty()) {
    fmt::format_to(out, "occupancy over {} on {}\n", answer.axis, where);
    return text + curve_text(answer);
  }
  fmt::format_to(out, "{} threads x {} registers, {} + {} bytes shared on {}\n", needs.threads,
                 needs.registers, needs.static_shared, needs.dynamic_shared, where);
  fmt::format_to(out, "  blocks      {} per SM\n", found.blocks);
  fmt::format_to(out, "  warps       {} of {} per SM ({:.0f} %)\n", found.warps,
                 answer.limits.warps_per_sm, 100 * relative_occupancy(answer.limits, found.warps));
  fmt::format_to(out, "  limited by  {}\n", limiters_text(found.limiters));
  fmt::format_to(out, "  limits      {}\n", limits_text(found));
  fmt::format_to(out, "  shared      {} bytes charged per block, {} bytes set up\n",
                 found.shared_charged, found.shared_carveout);
  fmt::format_to(out, "  launch      {}\n", answer.refusal.empty() ? "accepted" : answer.refusal);
  return text;
}

std::string occupancy_as_json(const OccupancyAnswer& answer) {
  const auto& needs = answer.needs;
  nlohmann::ordered_json json{{"schema", "forewarp.occupancy/1"},
                              {"gpu", answer.gpu},
                              {"cc", answer.capability},
                              {"block", needs.threads},
                              {"registers", needs.registers},
                              {"static_shared", needs.static_shared},
                              {"dynamic_shared", needs.dynamic_shared},
                              {"carveout_percent", needs.carveout_percent},
                              {"barriers", needs.barriers}};
  json.update(occupancy_json(answer.limits, answer.occupancy, answer.refusal));
  if (!answer.axis.empty()) {
    auto points = nlohmann::ordered_json::array();
    for (const auto& point : answer.curve) points.push_back(point_json(point));
    json["curve"] = {{"axis", answer.axis}, {"points", points}};
  }
  return json.dump(2) + "\n";
}

std::string occupancy_as_csv(const OccupancyAnswer& answer) {
  std::string text =
      (answer.axis.empty() ? "block" : answer.axis) + ",blocks_per_sm,warps_per_sm,limiters\n";
  const auto line = [&text](std::uint32_t value, const Occupancy& found) {
    text += fmt::format("{},{},{},{}\n", value, found.blocks, found.warps,
                        limiters_text(found.limiters));
  };
  if (answer.axis.empty()) line(answer.needs.threads, answer.occupancy);
  for (const auto& point : answer.curve) line(point.value, point.occupancy);
  return text;
}

}  // namespace forewarp::cli
