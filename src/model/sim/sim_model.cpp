// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/sim/sim_model.h"

#include <algorithm>
#include <array>

#include "base/quantities.h"
#include "model/device_memory.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { policy, group, rate, idle_slots, contention, sample };

constexpr std::array<ModelOption, 6> declared{{
    {"policy", "gpu|lrr|gto|cggty|grr|two-level|variable-rate", "gpu",
     "which ready warp a scheduler takes; gpu: as the GPU does"},
    {"group",
     "number",
     "8",
     "two-level: warps of a group",
     {.least = 1, .most = 64, .whole = true}},
    {"rate",
     "number",
     "2",
     "variable-rate: the first warp has one slot in this many",
     {.least = 2, .most = 64, .whole = true}},
    {"slots", "shared|strict", "shared",
     "variable-rate: a slot that its owner leaves goes to others"},
    {"contention", "off|fitted|banks", "fitted",
     "device memory answers later under load: by fitted curves, or as requests meet at its banks"},
    {"sample",
     "number",
     "0",
     "warp instructions that are followed; 0: as many as usual",
     {.least = 0, .most = 1e12, .whole = true}},
}};

constexpr std::string_view not_connected = "no simulation is connected to this launch";

}  // namespace

SimulationChoice simulation_choice(const OptionValues& options) {
  SimulationChoice choice;
  choice.policy = static_cast<int>(options[policy]);
  choice.group = options[group];
  choice.rate = options[rate];
  choice.work_conserving = options[idle_slots] == 0;
  choice.contention =
      static_cast<SimulationChoice::Contention>(static_cast<int>(options[contention]));
  choice.most_issues = options[sample];
  return choice;
}

std::shared_ptr<const SimulatedTime> SimModel::simulated(const ModelInput& input,
                                                         const OptionValues& options) const {
  return input.simulator == nullptr ? nullptr
                                    : input.simulator->time(input, simulation_choice(options));
}

std::span<const ModelOption> SimModel::options() const {
  return declared;
}

Mechanisms SimModel::accounts_for() const {
  return {Mechanism::occupancy,      Mechanism::arithmetic_latency,
          Mechanism::memory_latency, Mechanism::issue,
          Mechanism::pipes,          Mechanism::bandwidth,
          Mechanism::contention,     Mechanism::caches,
          Mechanism::barriers,       Mechanism::phases,
          Mechanism::waves,          Mechanism::launch_cost,
          Mechanism::asynchronous};
}

std::vector<ResourceInfo> SimModel::bounds(std::span<const ResourceInfo> resources) const {
  std::vector<ResourceInfo> all(resources.begin(), resources.end());
  all.emplace_back(ResourceRole::device_memory);
  return all;
}

Prediction SimModel::predict(const ModelInput& input, const OptionValues& options) const {
  Prediction p;
  const DeviceMemory memory = device_memory(input.gpu, input.demand, input.launch.clock);
  const auto demanded = input.demand.cycles();
  std::size_t tightest = 0;
  for (std::size_t r = 0; r < demanded.size(); ++r) p.bound_cycles[r] = demanded[r];
  p.bound_cycles[demanded.size()] = memory.cycles_per_warp.value();
  p.bound_count = static_cast<std::uint16_t>(demanded.size() + 1);
  for (std::size_t b = 0; b < p.bound_count; ++b) {
    if (p.bound_cycles[b] > p.bound_cycles[tightest]) tightest = b;
  }
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  p.resident_warps = input.launch.blocks_per_sm * input.launch.warps_per_block;
  p.waves = waves_of(input, input.launch.blocks_per_sm);
  p.latency_cycles = input.latency.cycles;
  p.throughput_bound = p.bound_cycles[tightest] > 0 ? 1 / p.bound_cycles[tightest] : 0;
  p.needed_warps = p.latency_cycles * p.throughput_bound;
  const auto time = simulated(input, options);
  if (time == nullptr || time->cycles <= 0) {
    p.applies = false;
    p.why = time == nullptr ? not_connected : std::string_view(time->refusal);
    return p;
  }
  // The time that the tightest unit needs for all warps, evenly spread, is a lower bound: an
  // extrapolated or sampled time must not go below it.
  const double cycles = std::max(time->cycles, warps / input.gpu.sms * p.bound_cycles[tightest]);
  p.time_ms =
      (time_of(Cycles(cycles), input.launch.clock) + to_milliseconds(input.launch.added)).value();
  p.warp_throughput = warps / (cycles * std::min<double>(input.gpu.sms, input.launch.blocks));
  p.low_ms = p.time_ms * (1 - time->error);
  p.high_ms = p.time_ms * (1 + time->error);
  p.memory_gbs = (warps * memory.bytes_per_warp / Milliseconds(p.time_ms)).value();
  const bool saturated = p.warp_throughput > 0.8 * p.throughput_bound;
  p.limiting = saturated ? static_cast<std::int16_t>(tightest) : Prediction::latency_limit;
  return p;
}

std::vector<ModelNumber> SimModel::numbers(const ModelInput& input, const OptionValues& options,
                                           const Prediction& prediction) const {
  (void)prediction;
  const auto time = simulated(input, options);
  if (time == nullptr) return {};
  std::vector<ModelNumber> all{{"cycles", time->cycles},
                               {"simulated_instructions", time->issued},
                               {"of_instructions", time->of},
                               {"warps_per_sm", time->warps_per_sm}};
  const auto slowest =
      std::max_element(time->clocked.begin(), time->clocked.end(),
                       [](const ClockedWarp& a, const ClockedWarp& b) { return a.used < b.used; });
  if (slowest == time->clocked.end()) return all;
  all.push_back({"clock_cycles", slowest->used});
  all.push_back({"clock_read_cycles", slowest->read});
  return all;
}

std::vector<StackPart> SimModel::stack(const ModelInput& input, const OptionValues& options,
                                       const Prediction& prediction) const {
  const auto time = simulated(input, options);
  if (time == nullptr || prediction.warp_throughput <= 0) return {};
  const double cycles = prediction.resident_warps / prediction.warp_throughput;
  std::vector<StackPart> parts;
  for (const auto& [cause, share] : time->schedulers) {
    if (share > 0) parts.push_back({std::string(cause), share * cycles});
  }
  return parts;
}

}  // namespace forewarp::model
