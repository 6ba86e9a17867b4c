// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gpumech/gpumech_model.h"

#include <algorithm>
#include <array>

#include "model/gpumech/gpumech_stack.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { policy, bandwidth };

constexpr std::string_view overloaded =
    "memory would be used more than fully: its queueing delay is no delay";

constexpr std::array<ModelOption, 2> declared{{
    {"policy", "rr|gto", "rr", "round robin, or greedy then oldest"},
    {"bandwidth", "off|on", "off", "queueing delay of device memory (equation 21)"},
}};

/// Cycles that a latency leaves unhidden under greedy-then-oldest (equations 12 to 16).
double unhidden(double latency, double issue_probability, double warps) {
  const double stall = latency - 1;
  return std::max(0.0, std::min(issue_probability * stall, 1.0) * (warps - 1) - stall);
}

struct Queue {
  double rho = 0, delay = 0;
};

/// Equations 18 to 23; beyond rho = 1 they give a negative delay.
Queue queue_of(const WarpMix& mix, double warps_per_sm) {
  Queue queue;
  if (mix.memory <= 0) return queue;
  const double per_access = mix.transactions / mix.memory;
  const double requests = warps_per_sm * per_access * mix.active_sms;
  const double service = mix.pin_cycles / (mix.transactions * mix.active_sms);
  const double arrivals = requests / mix.access_latency;
  queue.rho = arrivals * service;
  queue.delay =
      std::min(arrivals * service * service / (2 * (1 - queue.rho)), service * requests / 2);
  return queue;
}

struct Ipc {
  double unit = 0;      ///< IPC of one issue unit, without bandwidth
  double units = 1;     ///< issue units of the SM
  double warps = 0;     ///< warps of one issue unit
  double unhidden = 0;  ///< unhidden cycles of a warp's latencies
};

Ipc ipc_of(const WarpMix& mix, const OptionValues& options) {
  Ipc ipc;
  ipc.units = std::max(1.0, mix.issue_units);
  ipc.warps = mix.warps / ipc.units;
  const double p = mix.instructions() / mix.latency();
  if (options[policy] != 0) {
    ipc.unhidden = mix.memory * unhidden(mix.access_latency, p, ipc.warps) +
                   mix.compute * unhidden(mix.instruction_latency, p, ipc.warps);
  }
  ipc.unit = ipc.warps * mix.instructions() / (mix.latency() + ipc.unhidden);
  return ipc;
}

}  // namespace

std::span<const ModelOption> GpuMechModel::options() const {
  return declared;
}

MixTime GpuMechModel::time(const ModelInput& input, const WarpMix& mix,
                           const OptionValues& options) const {
  (void)input;
  const Ipc ipc = ipc_of(mix, options);
  double cycles = mix.instructions() / ipc.unit;
  if (options[bandwidth] == 0) return mix_time(cycles / ipc.units);
  const Queue queue = queue_of(mix, mix.warps);
  cycles += mix.memory * queue.delay;
  MixTime time = mix_time(cycles / ipc.units);
  time.applies = queue.rho < 1;
  if (!time.applies) time.why = overloaded;
  return time;
}

std::vector<ModelNumber> GpuMechModel::figures(const ModelInput& input, const WarpMix& mix,
                                               const OptionValues& options) const {
  const Ipc ipc = ipc_of(mix, options);
  const Queue queue = queue_of(mix, mix.warps);
  const double cycles = time(input, mix, options).cycles;
  return {{"ipc_per_unit", ipc.unit},
          {"cpi", cycles * ipc.units / mix.instructions()},
          {"rho", queue.rho},
          {"bandwidth_delay", queue.delay}};
}

std::vector<StackPart> GpuMechModel::parts(const WarpMix& mix, const OptionValues& options,
                                           const Prediction& prediction) const {
  (void)prediction;
  const Ipc ipc = ipc_of(mix, options);
  const double delay = options[bandwidth] != 0 ? queue_of(mix, mix.warps).delay : 0;
  return gpumech_stack(mix, ipc.warps, ipc.unhidden, delay);
}

}  // namespace forewarp::model
