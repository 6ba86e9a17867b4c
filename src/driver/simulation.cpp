// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/simulation.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "base/quantities.h"
#include "model/device_memory.h"
#include "timing/simulation.h"

namespace forewarp::driver {
namespace {

constexpr std::size_t most_known = 32;
constexpr double fewest_followed = 100'000;  // warp instructions, however little budget is left
// Beyond this load, the simulated queue itself makes requests wait.
constexpr double largest_load = 0.98;
constexpr double largest_random = 0.9;  // so few requests do not come as if at random

class KernelSimulator : public Simulator {
 public:
  KernelSimulator(std::shared_ptr<const Kernel> kernel, const BoundKernel& bound,
                  const LatencyRules& rules, const SimulationOptions& usual)
      : kernel_(std::move(kernel)), bound_(bound), rules_(rules), usual_(usual) {}

  std::shared_ptr<const SimulatedTime> time(const ModelInput& input,
                                            const SimulationChoice& choice) const override {
    LaunchShape launch = input.launch;
    launch.added = {};
    launch.longest_block = {};  // added to the simulated time elsewhere
    const std::lock_guard lock(mutex_);
    for (const Known& known : known_) {
      if (known.launch == launch && known.choice == choice && known.demand == input.demand &&
          known.gpu == input.gpu) {
        return known.time;
      }
    }
    if (known_.size() >= most_known) known_.clear();
    known_.push_back({launch, choice, input.demand, input.gpu,
                      std::make_shared<const SimulatedTime>(run(input, choice))});
    return known_.back().time;
  }

 private:
  /// A simulated time with everything that it depends on besides the kernel and the rules.
  struct Known {
    LaunchShape launch;
    SimulationChoice choice;
    Demand demand;
    Gpu gpu;
    std::shared_ptr<const SimulatedTime> time;
  };

  /// Each part of the grid with data in a slow segment of memory takes its share of the time that
  /// the whole grid would take if all of it lay there.
  [[nodiscard]] SimulatedTime run(const ModelInput& input, const SimulationChoice& choice) const {
    const DeviceMemory memory = device_memory(input.gpu, input.demand, input.launch.clock);
    const double per_byte = memory.bytes_per_warp > Bytes(0)
                                ? memory.cycles_per_warp.value() / memory.bytes_per_warp.value()
                                : 0;
    SimulatedTime time = at_rate(input, choice, per_byte);
    double share = 1, cycles = 0;
    for (const MemoryStretch& stretch : input.launch.stretches) {
      if (stretch.share <= 0 || stretch.gbs <= 0 || stretch.gbs >= memory.reached.value()) continue;
      const double slower = memory.reached / GigabytesPerSecond(stretch.gbs);
      cycles += stretch.share * at_rate(input, choice, per_byte * slower).cycles;
      share -= stretch.share;
    }
    time.cycles = cycles + std::max(share, 0.0) * time.cycles;
    return time;
  }

  [[nodiscard]] SimulatedTime at_rate(const ModelInput& input, const SimulationChoice& choice,
                                      double cycles_per_byte) const {
    const std::vector<double> delays = delays_of(input, choice.contention);
    const SimulatedLaunch launch{{*kernel_, input.gpu, rules_, bound_.patterns(),
                                  input.launch.clock, delays, cycles_per_byte},
                                 bound_.paths(),
                                 input.launch.blocks,
                                 static_cast<std::uint32_t>(input.launch.warps_per_block),
                                 static_cast<std::uint32_t>(input.launch.blocks_per_sm),
                                 policy_of(choice)};
    SimulationOptions options = usual_;
    if (choice.most_issues > 0)
      options.most_issues = static_cast<std::uint64_t>(choice.most_issues);
    return simulate(launch, options);
  }

  /// Extra latency of device memory, cycles, at loads from 0 to 1 in equal steps.
  [[nodiscard]] static std::vector<double> delays_of(const ModelInput& input,
                                                     SimulationChoice::Contention kind) {
    const DeviceMemory memory = device_memory(input.gpu, input.demand, input.launch.clock);
    if (kind == SimulationChoice::Contention::off || !memory.queues) return {};
    const double bank = bank_cycles(input.gpu, memory);
    constexpr int steps = 64;
    std::vector<double> delays;
    for (int i = 0; i <= steps; ++i) {
      const bool fitted = kind == SimulationChoice::Contention::fitted;
      const double load =
          std::min(static_cast<double>(i) / steps, fitted ? largest_load : largest_random);
      // Wait at a server with random arrivals and equal service times (Pollaczek and Khinchine).
      delays.push_back(fitted ? memory.delay(load) : bank * load / (2 * (1 - load)));
    }
    return delays;
  }

  /// Cycles that a bank is busy with one line when all banks together reach the bandwidth.
  [[nodiscard]] static double bank_cycles(const Gpu& gpu, const DeviceMemory& memory) {
    const double channel = gpu.memory.channel_bits;
    if (channel <= 0 || memory.of_sm <= BytesPerCycle(0)) return 0;
    const double banks = gpu.memory.bus_bits / channel * gpu.memory.banks_per_channel;
    return (Bytes(banks * gpu.line_bytes) / (memory.of_sm * gpu.sms)).value();
  }

  [[nodiscard]] PolicyChoice policy_of(const SimulationChoice& choice) const {
    PolicyChoice policy;
    policy.policy = choice.policy > 0          ? static_cast<Policy>(choice.policy - 1)
                    : rules_.use_control_words ? Policy::greedy_round_robin
                                               : Policy::round_robin;
    policy.group = static_cast<std::uint32_t>(choice.group);
    policy.rate = static_cast<std::uint32_t>(choice.rate);
    policy.work_conserving = choice.work_conserving;
    return policy;
  }

  std::shared_ptr<const Kernel> kernel_;
  const BoundKernel& bound_;
  const LatencyRules& rules_;
  SimulationOptions usual_;
  mutable std::mutex mutex_;
  mutable std::vector<Known> known_;
};

}  // namespace

std::shared_ptr<const Simulator> connect_simulation(std::shared_ptr<const Kernel> kernel,
                                                    const BoundKernel& bound,
                                                    const LatencyRules& rules) {
  return std::make_shared<KernelSimulator>(std::move(kernel), bound, rules, SimulationOptions{});
}

std::shared_ptr<const Simulator> connect_simulation(const Prepared& prepared,
                                                    const LatencyRules& rules,
                                                    const PredictOptions& options) {
  SimulationOptions usual;
  usual.exact = options.exact;
  if (prepared.automatic) {
    const double most = prepared.executed().work.left() * own_work_rates().simulated_instructions;
    usual.most_issues = static_cast<std::uint64_t>(
        std::clamp(most, fewest_followed, static_cast<double>(usual.most_issues)));
  }
  return std::make_shared<KernelSimulator>(prepared.code().kernel, prepared.bound(), rules, usual);
}

}  // namespace forewarp::driver
