// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/load_clock.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"
#include "binding/operation_counts.h"
#include "hardware/matrix_facts.h"
#include "prediction/evaluation.h"

namespace forewarp::prediction {
namespace {

constexpr double pico = 1e-12;
constexpr double near_limit = 0.01;   // share of the limit: the sensors' own noise
constexpr double lowest_share = 0.2;  // share of the boost clock: boards go no lower under load
constexpr int most_rounds = 6;

/// A clock with the power that the launch draws at it.
struct Operating {
  double megahertz = 0;
  PowerDraw draw;
};

PowerDraw draw_of(const Evaluation& evaluation) {
  return launch_draw(evaluation, evaluation.demand, evaluation.taken().prediction.time_ms);
}

/// The clock at which power, as a power law of the clock through the last two points, meets the
/// limit.
double next_clock(const Operating& last, const Operating& before, double limit) {
  double slope = 2;  // first guess, for pipes: rate and voltage both fall
  if (before.megahertz > 0 && before.megahertz != last.megahertz) {
    slope =
        std::log(last.draw.watts / before.draw.watts) / std::log(last.megahertz / before.megahertz);
  }
  slope = std::clamp(slope, 0.5, 4.0);
  return last.megahertz * std::pow(limit / last.draw.watts, 1 / slope);
}

void note(const Evaluation& evaluation, const PowerDraw& draw, double limit,
          std::vector<Result::Assumption>& assumptions) {
  const bool changing = data_change(evaluation.launch->arguments);
  assumptions.push_back({"load-clock",
                         significant(draw.watts, 3) + " W at " +
                             significant(evaluation.launch->clock.value(), 4) +
                             " MHz of a limit of " + significant(limit, 3) + " W, with data that " +
                             (changing ? "change" : "are all alike"),
                         "--set hw.power.limit_w=W, contents of the buffers, or --clock MHZ"});
}

}  // namespace

PowerDraw power_draw(const Gpu& gpu, const PoweredWork& work) {
  const double x = work.clock_share;
  PowerDraw draw;
  draw.watts = gpu.power.base_w + gpu.power.clock_w * x * x;
  if (work.seconds > 0) {
    draw.watts += (work.dynamic_joules * x + work.memory_joules) / work.seconds;
  }
  draw.joules = draw.watts * work.seconds;
  return draw;
}

PoweredWork powered_work(const Gpu& gpu, const Demand& demand, double warps, bool changing) {
  const double share = changing ? 1 : gpu.energy.quiet_share;
  const double per_lane = pico * gpu.limits.warp_lanes * share;
  PoweredWork work;
  const double matrix = matrix_operation_energy(gpu);
  const double products = matrix > 0 ? demand.count(Count::matrix_operations) : 0;
  work.dynamic_joules = products * warps * pico * matrix * share;
  for (std::size_t c = 0; c < class_kinds; ++c) {
    const auto kind = static_cast<InstructionClass>(c);
    const double count = demand.of_class(kind);
    if (count <= 0 || (products > 0 && binding::multiplies_matrices(kind))) continue;
    const auto own = gpu.energy.classes.find(class_name(kind));
    const double energy = own == gpu.energy.classes.end() ? gpu.energy.other : own->second;
    work.dynamic_joules += count * warps * energy * per_lane;
  }
  const double sectors = demand.count(Count::load_sectors) + demand.count(Count::store_sectors);
  work.dynamic_joules += sectors * warps * gpu.sector_bytes * pico * gpu.energy.l2_byte;
  const double bytes = demand.count(Count::read_bytes) + demand.count(Count::write_bytes);
  work.memory_joules = bytes * warps * pico * gpu.energy.memory_byte;
  return work;
}

PowerDraw launch_draw(const Evaluation& evaluation, const Demand& demand, double kernel_ms) {
  const Launch& draft = *evaluation.launch;
  const double warps = static_cast<double>(draft.config.blocks()) * draft.occupancy.warps_per_block;
  PoweredWork work =
      powered_work(*evaluation.launch->gpu, demand, warps, data_change(draft.arguments));
  work.seconds = (kernel_ms - to_milliseconds(draft.added).value()) * 1e-3;
  work.clock_share = draft.clock / Megahertz(evaluation.launch->gpu->clock_boost_mhz);
  return power_draw(*evaluation.launch->gpu, work);
}

bool data_change(const BoundArguments& arguments) {
  using Kind = BufferContent::Kind;
  bool alike = false;
  for (const BoundBuffer& buffer : arguments.buffers) {
    const Kind kind = buffer.content.kind;
    if (kind == Kind::zeros || kind == Kind::ones || kind == Kind::fill) {
      alike = true;
    } else if (kind != Kind::unknown) {
      return true;
    }
  }
  return !alike;  // nothing known: data usually differ
}

bool power_sets_clock(const ClockChoice& choice, const Launch& launch) {
  if (choice.kind == ClockChoice::Kind::load) return true;
  const Gpu& gpu = *launch.gpu;
  return matrix_operation_energy(gpu) > 0 && gpu.power.limit_w > 0 &&
         binding::multiplies_matrices(*launch.code.kernel);
}

Expected<Evaluation> settle_clock(Evaluation at_set,
                                  const std::function<Expected<Evaluation>(double megahertz)>& at) {
  Evaluation evaluation = std::move(at_set);
  const double limit = evaluation.launch->gpu->power.limit_w;
  const double highest = evaluation.launch->clock.value();
  if (limit <= 0) {
    return Diagnostic{evaluation.launch->gpu->file, "has no power limit for --clock load",
                      "power.limit_w in W", "--set hw.power.limit_w=W, or another --clock"};
  }
  Operating before, now;
  for (int round = 0;; ++round) {
    const PowerDraw draw = draw_of(evaluation);
    before = std::exchange(now, {evaluation.launch->clock.value(), draw});
    const bool below = draw.watts <= limit * (1 + near_limit);
    const bool above = draw.watts >= limit * (1 - near_limit) || now.megahertz >= highest;
    if ((below && above) || round == most_rounds) break;
    const double wanted =
        std::clamp(next_clock(now, before, limit), lowest_share * highest, highest);
    if (wanted == now.megahertz) break;
    auto again = at(wanted);
    if (!again) return again;
    evaluation = std::move(*again);
  }
  evaluation.power = {now.draw.watts, limit, now.draw.joules};
  note(evaluation, now.draw, limit, evaluation.notes.assumptions);
  return evaluation;
}

}  // namespace forewarp::prediction
