// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/stall_split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "explain/counterfactuals.h"
#include "explain/what_if.h"
#include "hardware/resource_role.h"
#include "model/sim/sim_model.h"

namespace forewarp::explain {
namespace {

constexpr double worth_a_reason = 0.05;  // of the time, between both sides

/// A part, in the order in which parts are taken away, and the switch of a simulation without it.
struct Row {
  std::string_view name, label;
  StallKind kind;
  bool LeftOut::*without;
};

constexpr std::array<Row, 7> rows{{
    {"barriers", "barriers", StallKind::latency, &LeftOut::barriers},
    {"memory_rates", "L2, device memory and the way there", StallKind::bandwidth,
     &LeftOut::memory_rates},
    {"memory_unit", "the SM's memory unit and shared memory", StallKind::bandwidth,
     &LeftOut::memory_unit},
    {"pipes", "pipes, issue slots, register ports, fetch", StallKind::bandwidth, &LeftOut::pipes},
    {"memory_latency", "loads of global and local memory", StallKind::latency,
     &LeftOut::memory_latency},
    {"other_latency", "arithmetic and shared memory", StallKind::latency, &LeftOut::other_latency},
    {"rest", "issuing, starting blocks, the last wave", StallKind::rest, nullptr},
}};

/// The part that waits for a unit of this name belong to.
std::string_view part_of_unit(std::string_view unit) {
  switch (role_of_resource(unit)) {
    case ResourceRole::device_memory:
    case ResourceRole::l2:
    case ResourceRole::l2_read:
    case ResourceRole::l2_write:
    case ResourceRole::l2_slice:
    case ResourceRole::l1_fill:
    case ResourceRole::store_path:
      return "memory_rates";
    case ResourceRole::load_store:
    case ResourceRole::shared_memory:
    case ResourceRole::cluster_network:
    case ResourceRole::l1:
    case ResourceRole::l1_return:
    case ResourceRole::requests:
      return "memory_unit";
    default:
      return "pipes";
  }
}

std::string_view part_of_stall(std::string_view key) {
  constexpr std::string_view unit = "bandwidth_";
  if (key.starts_with(unit)) return part_of_unit(key.substr(unit.size()));
  if (key == "memory_shared" || key == "dependence") return "other_latency";
  if (key.starts_with("memory_")) return "memory_latency";
  return key == "barrier" ? "barriers" : "rest";
}

double share_of_cause(const SimulatedTime& time, std::string_view cause) {
  for (const auto& [name, share] : time.schedulers) {
    if (name == cause) return share;
  }
  return 0;
}

std::string percent_text(double share) {
  return significant(100 * share, 2) + " %";
}

/// What both sides had, for the reasons.
struct Sides {
  const SimulatedTime& seen;
  const std::map<std::string, double>& stalls;  ///< of the closed form
  double resident = 0;                          ///< warps on an SM, of the closed form
  bool one_wave = false;                        ///< all blocks start at once
  bool fills_board = false;                     ///< `resident` although there are fewer blocks
};

/// Why the simulated warps hide less of a latency.
std::string why_hidden_less(const Sides& sides) {
  constexpr double alike = 0.1;
  const double mean = sides.seen.detail.occupancy.mean_warps;
  if (std::abs(sides.resident - mean) <= alike * sides.resident) {
    return "as many warps are resident in both, " + significant(sides.resident, 3) +
           ", to hide it: the closed form's other parts take the rest of its time";
  }
  return significant(mean, 3) + " warps are resident on average, " +
         significant(sides.resident, 3) + " in the closed form, " +
         (sides.fills_board ? "as if the grid filled the board, " : "") + "to hide it";
}

/// Why the simulation has more of a part than the closed form, with what it saw.
std::string why_more(const Row& row, const Sides& sides) {
  const std::string_view name = row.name;
  const SimulatedTime& seen = sides.seen;
  if (name == "memory_rates") {
    return "requests come in bursts and queue; the closed form has their mean rate";
  }
  if (name == "memory_unit") {
    return "its queue and stages stand one behind the other (schedulers wait " +
           percent_text(share_of_cause(seen, "queue")) +
           " of their time for room); the closed form has a rate for each by itself";
  }
  if (name == "pipes") {
    return "a warp waits for one unit after the other, and " +
           percent_text(share_of_cause(seen, "registers") + share_of_cause(seen, "fetch")) +
           " for register ports and fetch; in the closed form the tightest unit alone counts";
  }
  if (row.kind == StallKind::latency && name != "barriers") return why_hidden_less(sides);
  if (name == "barriers") return "warps arrive as units served them, apart from each other";
  return "blocks and their warps start one after the other, which nothing here takes away; "
         "schedulers have no warp for " +
         percent_text(share_of_cause(seen, "idle")) + " of the time";
}

/// What the closed form's rest consists of.
std::string rest_text(const std::map<std::string, double>& stalls) {
  constexpr double worth_telling = 0.005;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
      {{"launch", "starts of blocks"},
       {"tail", "the last wave"},
       {"issued", "issuing"},
       {"unresolved", "what it does not tell apart"}}};
  std::vector<std::string> parts;
  for (const auto& [key, label] : kinds) {
    const auto found = stalls.find(std::string(key));
    if (found == stalls.end() || found->second < worth_telling) continue;
    parts.push_back(percent_text(found->second) + " for " + std::string(label));
  }
  return join(parts, ", ");
}

/// Why it has less.
std::string why_less(const Row& row, const Sides& sides) {
  if (row.kind == StallKind::bandwidth) {
    return "the limit binds for a part of the time only: what warps wait for in between has its "
           "own share; in the closed form a limit that binds, binds throughout";
  }
  if (row.kind == StallKind::latency) {
    return "waits for units cover it: without the limits of rates, the simulated warps hide more";
  }
  return (sides.one_wave ? "" : "blocks follow each other without a gap in their places; ") +
         std::string("the closed form has ") + rest_text(sides.stalls);
}

/// Warps on an SM as the closed form has them: with waves, no more than there are.
Sides sides_of(const SimulatedTime& seen, const std::map<std::string, double>& stalls,
               const ModelRun& closed, const ModelInput& input) {
  const LaunchShape& launch = input.launch;
  const double full = closed.prediction.resident_warps;
  const double there = std::ceil(launch.blocks / input.gpu.sms) * launch.warps_per_block;
  const bool in_waves = closed.model->accounts_for().has(Mechanism::waves);
  const bool one_wave = launch.blocks <= launch.blocks_per_sm * input.gpu.sms;
  return {seen, stalls, in_waves ? std::min(full, there) : full, one_wave,
          !in_waves && there < full};
}

/// The first run that applies and is, or is not, a simulation.
const ModelRun* first_run(const Evaluation& evaluation, bool simulates) {
  const auto found = std::ranges::find_if(evaluation.runs, [&](const ModelRun& run) {
    return run.model->simulates() == simulates && usable(run, run.prediction);
  });
  return found == evaluation.runs.end() ? nullptr : &*found;
}

double sum_of(const std::vector<StallPart>& parts, StallKind kind, double StallPart::*side) {
  double sum = 0;
  for (const StallPart& part : parts) sum += part.kind == kind ? part.*side : 0;
  return sum;
}

}  // namespace

double StallSplit::simulated(StallKind kind) const {
  return sum_of(parts, kind, &StallPart::simulated);
}

double StallSplit::closed(StallKind kind) const {
  return sum_of(parts, kind, &StallPart::closed);
}

std::map<std::string_view, double> simulated_shares(const Simulator& simulator,
                                                    const ModelInput& input,
                                                    const SimulationChoice& choice) {
  SimulationChoice less = choice;
  const double whole = simulator.time(input, choice)->cycles;
  double left = whole;
  std::map<std::string_view, double> shares;
  for (const Row& row : rows) {
    if (row.without == nullptr) {
      shares[row.name] = left / whole;
      continue;
    }
    less.left_out.*row.without = true;
    // Nothing takes longer for waiting less: a longer time is that of another order of warps.
    const double now = std::min(left, simulator.time(input, less)->cycles);
    shares[row.name] = (left - now) / whole;
    left = now;
  }
  return shares;
}

std::map<std::string_view, double> closed_shares(const std::map<std::string, double>& stalls) {
  std::map<std::string_view, double> shares;
  for (const auto& [key, share] : stalls) shares[part_of_stall(key)] += share;
  return shares;
}

Expected<StallSplit> stall_split(const Evaluation& evaluation) {
  const ModelRun* sim = first_run(evaluation, true);
  const ModelRun* closed = first_run(evaluation, false);
  if (sim == nullptr || closed == nullptr) {
    return Diagnostic{evaluation.launch->code.input,
                      sim == nullptr ? "cannot be simulated" : "no closed form gives it a time",
                      "a launch that both the model sim and a closed form can predict",
                      "see 'forewarp predict --model all'"};
  }
  const ModelInput input = model_input(evaluation, *sim, evaluation.demand);
  const SimulationChoice choice = simulation_choice(sim->options);
  const auto seen = sim->simulator->time(input, choice);
  WhatIf what_if(evaluation, *closed);
  const auto simulated = simulated_shares(*sim->simulator, input, choice);
  const auto stalls = stall_shares(evaluation, *closed, closed->prediction, what_if);
  const auto by_form = closed_shares(stalls);
  const Sides sides = sides_of(*seen, stalls, *closed, input);
  StallSplit split{
      std::string(closed->model->name()), seen->cycles, closed->prediction.time_ms, {}};
  for (const Row& row : rows) {
    StallPart part{row.name, row.label, row.kind, simulated.at(row.name), 0, {}};
    if (const auto found = by_form.find(row.name); found != by_form.end())
      part.closed = found->second;
    const double more = part.simulated - part.closed;
    if (std::abs(more) >= worth_a_reason) {
      part.why = more > 0 ? why_more(row, sides) : why_less(row, sides);
    }
    split.parts.push_back(std::move(part));
  }
  return split;
}

}  // namespace forewarp::explain
