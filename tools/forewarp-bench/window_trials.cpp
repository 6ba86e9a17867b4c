// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "window_trials.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "configuration.h"
#include "program/opcode.h"
#include "timed_region.h"

namespace forewarp::cli {
namespace {

using characterise::EstimateTrial;
using characterise::Pmf;
using characterise::TrialOrder;

/// Moved registers in the windows of a kernel, a mean over them.
double moves_of(const Kernel& kernel, const BenchTest& test) {
  const auto regions = timed_regions(kernel, test);
  double moves = 0;
  for (const TimedRegion& region : regions) {
    for (std::uint32_t i = region.first; i < region.second; ++i) {
      moves += opcode_info(kernel.instructions[i].opcode).mnemonic.starts_with("MOV") ? 1 : 0;
    }
  }
  return regions.empty() ? 0 : moves / static_cast<double>(regions.size());
}

/// Windows and empty ones of a launch.
struct Pair {
  Pmf windows, empty;
};

Expected<Pair> measured(const BenchTest& test, const Configuration& launch, BenchDevice& device) {
  const auto with = device.measure(test, test.kernel, launch);
  if (!with) return with.error();
  const auto without = device.measure(test, test.empty_kernel, launch);
  if (!without) return without.error();
  auto windows = Pmf::of(with->values, test.id);
  if (!windows) return std::move(windows).error();
  auto empty = Pmf::of(without->values, test.id);
  if (!empty) return std::move(empty).error();
  return Pair{*std::move(windows), *std::move(empty)};
}

/// Cycles of a moved register: of the first launch of `moves`.
Expected<double> cycles_of_move(const BenchTest& moves, BenchDevice& device, SuiteCode& code) {
  const auto count = moved_registers(moves, device.description().sm, code);
  if (!count) return count.error();
  if (!(*count > 0)) {
    return Diagnostic{moves.id, "moves no more registers than its empty kernel", "MOV", ""};
  }
  const auto launches = configurations(moves, device.description().quantities());
  if (!launches) return launches.error();
  const auto pair = measured(moves, launches->front(), device);
  if (!pair) return pair.error();
  return (pair->windows.mean() - pair->empty.mean()) / *count;
}

Expected<WindowTrial> trial_of(const BenchTest& test, const Configuration& launch,
                               BenchDevice& device, const WindowTrial& about, TrialOrder order) {
  const auto known = device.known(test, launch);
  if (!known) return known.error();
  const auto operation = Pmf::of(*known, test.id);
  if (!operation) return operation.error();
  const auto pair = measured(test, launch, device);
  if (!pair) return pair.error();
  WindowTrial trial = about;
  trial.config = launch.name;
  trial.mean = operation->mean();
  trial.deviation = operation->deviation();
  order.moved = trial.moved * trial.move_cycles;
  auto estimates = characterise::compare_estimates(*operation, pair->windows, pair->empty, order,
                                                   test.id + " " + launch.name);
  if (!estimates) return std::move(estimates).error();
  trial.estimates = *std::move(estimates);
  return trial;
}

}  // namespace

Expected<double> moved_registers(const BenchTest& test, std::uint32_t sm, SuiteCode& code) {
  const auto with = code.kernel(test, test.kernel, sm);
  if (!with) return with.error();
  const auto without = code.kernel(test, test.empty_kernel, sm);
  if (!without) return without.error();
  return moves_of(*with, test) - moves_of(*without, test);
}

Expected<std::vector<WindowTrial>> window_trials(
    const std::vector<BenchTest>& tests, const BenchTest* moves, BenchDevice& device,
    SuiteCode& code, const TrialOrder& order, const std::function<void(const std::string&)>& tell) {
  std::vector<WindowTrial> trials;
  std::vector<std::string> left_out;
  double move_cycles = 0;
  if (moves != nullptr) {
    const auto found = cycles_of_move(*moves, device, code);
    if (!found) return found.error();
    move_cycles = *found;
  }
  for (const BenchTest& test : tests) {
    if (!test.window || test.empty_kernel.empty() || !test.fits(device.description().sm)) continue;
    if (moves != nullptr && test.id == moves->id) continue;
    WindowTrial about{test.id, "", 0, 0, 0, move_cycles, {}};
    if (moves != nullptr) {
      const auto count = moved_registers(test, device.description().sm, code);
      if (!count) return count.error();
      about.moved = *count;
    }
    const auto launches = configurations(test, device.description().quantities());
    if (!launches) return launches.error();
    for (const Configuration& launch : *launches) {
      auto trial = trial_of(test, launch, device, about, order);
      if (trial) {
        trials.push_back(*std::move(trial));
      } else {
        left_out.push_back(test.id + " " + launch.name + " is left out: " + trial.error().line());
      }
    }
  }
  if (!trials.empty()) {
    for (const std::string& line : left_out) tell(line);
    return trials;
  }
  return Diagnostic{"estimates", "no launch whose operation this device knows",
                    "tests of windows with an access of memory", "window_global_once"};
}

std::string trials_as_text(const std::vector<WindowTrial>& trials, const TrialOrder& order) {
  std::string out = fmt::format(
      "Estimates from {} windows and as many empty ones, over {} draws: error of the mean and of "
      "the "
      "standard deviation, cycles\n",
      order.windows, order.draws);
  for (const WindowTrial& trial : trials) {
    out += fmt::format("\n{} {}: {} cycles, deviation {}", trial.test, trial.config,
                       significant(trial.mean, 5), significant(trial.deviation, 4));
    if (trial.moved > 0) {
      out += fmt::format("; {} registers moved, {} cycles each", significant(trial.moved, 3),
                         significant(trial.move_cycles, 4));
    }
    out += fmt::format("\n  {:<34} {:>10} {:>8} {:>12} {:>8} {:>8}\n", "estimate", "mean: bias",
                       "spread", "dev.: bias", "spread", "no dev.");
    for (const EstimateTrial& one : trial.estimates) {
      out += fmt::format("  {:<34} {:>+10.2f} {:>8.2f} {:>+12.2f} {:>8.2f} {:>8}\n", one.name,
                         one.mean_bias, one.mean_spread, one.deviation_bias, one.deviation_spread,
                         one.without);
    }
  }
  return out;
}

std::string trials_as_json(const std::vector<WindowTrial>& trials, const TrialOrder& order) {
  using Json = nlohmann::ordered_json;
  Json json = {{"schema", "forewarp.estimates/1"},
               {"windows", order.windows},
               {"draws", order.draws},
               {"seed", order.seed},
               {"launches", Json::array()}};
  for (const WindowTrial& trial : trials) {
    Json launch = {{"test", trial.test},        {"config", trial.config},
                   {"mean", trial.mean},        {"deviation", trial.deviation},
                   {"moved", trial.moved},      {"move_cycles", trial.move_cycles},
                   {"estimates", Json::array()}};
    for (const EstimateTrial& one : trial.estimates) {
      launch["estimates"].push_back({{"estimate", one.name},
                                     {"mean_bias", one.mean_bias},
                                     {"mean_spread", one.mean_spread},
                                     {"deviation_bias", one.deviation_bias},
                                     {"deviation_spread", one.deviation_spread},
                                     {"without_deviation", one.without}});
    }
    json["launches"].push_back(std::move(launch));
  }
  return json.dump(2) + "\n";
}

}  // namespace forewarp::cli
