// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/simulation.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/cache/content_key.h"
#include "base/cache/disk_cache.h"
#include "base/quantities.h"
#include "binding/bound_kernel.h"
#include "hardware/gpu_key.h"
#include "model/device_memory.h"
#include "model/simulated_time.h"
#include "prediction/simulation_archive.h"
#include "timing/simulation.h"

namespace forewarp::prediction {
namespace {

constexpr std::size_t most_alone = std::size_t{8} << 20;  // bytes that one keeps for itself
constexpr double fewest_followed = 100'000;  // warp instructions, however little budget is left
// Beyond this load, the simulated queue itself makes requests wait.
constexpr double largest_load = 0.98;
constexpr double largest_random = 0.9;  // so few requests do not come as if at random

void add_shape(const LaunchShape& shape, KeyBytes& key) {
  key.add(shape.blocks).add(shape.threads_per_block).add(shape.warps_per_block);
  key.add(shape.blocks_per_sm).add(shape.clock.value());
  for (const MemoryStretch& stretch : shape.stretches) key.add(stretch.share).add(stretch.gbs);
}

void add_demand(const Demand& demand, KeyBytes& key) {
  for (const double cycles : demand.cycles()) key.add(cycles);
  for (std::size_t c = 0; c < count_kinds; ++c) key.add(demand.count(static_cast<Count>(c)));
  for (std::size_t c = 0; c < class_kinds; ++c) {
    key.add(demand.of_class(static_cast<InstructionClass>(c)));
  }
}

class KernelSimulator : public Simulator {
 public:
  /// `key`: of all that it refers to; `kept`: what else must live as long.
  KernelSimulator(std::shared_ptr<const Kernel> kernel, const BoundKernel& bound,
                  const LatencyRules& rules, const SimulationOptions& usual,
                  std::shared_ptr<MemoryCache> cache, std::string key,
                  std::shared_ptr<const void> kept, bool on_disk = false)
      : kernel_(std::move(kernel)),
        bound_(bound),
        rules_(rules),
        usual_(usual),
        cache_(std::move(cache)),
        key_(std::move(key)),
        kept_(std::move(kept)),
        on_disk_(on_disk) {}

  std::shared_ptr<const SimulatedTime> time(const ModelInput& input,
                                            const SimulationChoice& choice) const override {
    const std::string key = key_of(input, choice);
    const auto time = cache_->get<SimulatedTime>("simulation", key, [&] {
      auto found = on_disk_ ? recall_or_run(key, input, choice) : run(input, choice);
      return Expected(
          std::shared_ptr<const SimulatedTime>(std::make_shared<SimulatedTime>(std::move(found))));
    });
    return *time;
  }

 private:
  /// Everything that a simulated time depends on. What timing adds and the longest block are added
  /// to it elsewhere.
  [[nodiscard]] std::string key_of(const ModelInput& input, const SimulationChoice& choice) const {
    KeyBytes key;
    key.add_text(key_).add(choice.policy).add(choice.group).add(choice.rate);
    key.add(choice.work_conserving).add(choice.contention).add(choice.most_issues);
    const LeftOut& out = choice.left_out;
    key.add(out.memory_rates).add(out.memory_unit).add(out.pipes);
    key.add(out.memory_latency).add(out.other_latency).add(out.barriers);
    add_shape(input.launch, key);
    add_demand(input.demand, key);
    add_board(input.gpu, key);
    return content_key(key.take());
  }

  /// Takes it from any process of this build that simulated the same.
  [[nodiscard]] SimulatedTime recall_or_run(const std::string& key, const ModelInput& input,
                                            const SimulationChoice& choice) const {
    constexpr std::size_t most = std::size_t{1} << 20;
    const DiskCache kept = DiskCache::named("simulations", ".simulation", most);
    if (!kept.keeps()) return run(input, choice);
    const std::string name = content_key(program_stamp() + key);
    if (const auto body = kept.find(name)) {
      if (auto known = unpack_simulation(*body)) return *std::move(known);
    }
    SimulatedTime made = run(input, choice);
    kept.store(name, pack_simulation(made));
    return made;
  }

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
                                 policy_of(choice),
                                 choice.left_out};
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
  std::shared_ptr<MemoryCache> cache_;
  std::string key_;
  std::shared_ptr<const void> kept_;
  bool on_disk_;
};

}  // namespace

std::shared_ptr<const Simulator> connect_simulation(std::shared_ptr<const Kernel> kernel,
                                                    const BoundKernel& bound,
                                                    const LatencyRules& rules) {
  return std::make_shared<KernelSimulator>(std::move(kernel), bound, rules, SimulationOptions{},
                                           std::make_shared<MemoryCache>(most_alone), "", nullptr);
}

std::shared_ptr<const Simulator> connect_simulation(const Evaluation& evaluation,
                                                    const LatencyRules& rules,
                                                    const PredictOptions& options,
                                                    const std::shared_ptr<MemoryCache>& cache) {
  SimulationOptions usual;
  usual.exact = options.exact;
  if (evaluation.automatic) {
    const double most = evaluation.trace->work.left() * own_work_rates().simulated_instructions;
    usual.most_issues = static_cast<std::uint64_t>(
        std::clamp(most, fewest_followed, static_cast<double>(usual.most_issues)));
  }
  const std::shared_ptr<const Bound>& bound = evaluation.bound;
  const bool shared = cache != nullptr && !bound->key.empty();
  KeyBytes key;
  key.add_text(bound->key).add_text(rules.name).add(usual.exact).add(usual.most_issues);
  return std::make_shared<KernelSimulator>(
      bound->code, *bound->kernel, rules, usual,
      shared ? cache : std::make_shared<MemoryCache>(most_alone), key.take(), bound,
      shared && options.cache && options.device == nullptr);
}

}  // namespace forewarp::prediction
