// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "base/quantities.h"
#include "base/registry.h"
#include "binding/demand.h"
#include "binding/latency_path.h"
#include "hardware/gpu.h"
#include "model/mechanisms.h"
#include "model/option_range.h"

namespace forewarp::model {

struct SimulatedTime;
class Simulator;
struct SimulatedTime;

/// Warps whose data lie partly in a slow segment of device memory.
struct MemoryStretch {
  double share = 0;  ///< of the grid's warps
  double gbs = 0;    ///< most that their traffic can reach; 0: no limit of their own
  bool operator==(const MemoryStretch&) const = default;
};

/// A launch as models see it: numbers only.
struct LaunchShape {
  double blocks = 0;   ///< as many as have the work of the grid, if all are like the typical one
  double started = 1;  ///< blocks of the grid for each of them
  double threads_per_block = 0;
  double warps_per_block = 0;
  double blocks_per_sm = 0;  ///< that fit on an SM (theoretical occupancy)
  Megahertz clock;
  /// Alone, of a block that takes far longer than most and that the launch waits for. 0: none.
  Cycles longest_block;
  Microseconds added;  ///< what the way of timing adds to the device's own time
  /// Parts of the grid whose data lie in a slow segment of device memory; empty on most boards.
  std::array<MemoryStretch, 3> stretches{};
  bool operator==(const LaunchShape&) const = default;
};

/// Latency of one warp that runs alone, and what it includes.
struct WarpLatency {
  double cycles = 0;                  ///< including the rule set's replacement, if it has one
  bool replacement_included = false;  ///< if not, the GPU's block turnaround has to be added
  double block_cycles =
      0;  ///< of its whole block alone on an SM, with contention between its warps; 0: unknown
  double memory_cycles = 0;  ///< of `cycles`: waiting for device memory or caches
};

/// One option of a model; help, the echo in the result and the checks are made from this row.
struct ModelOption {
  std::string_view name;
  std::string_view kind;  ///< "number", "on|off", or the words "text|simulated|strict"
  std::string_view default_value;
  std::string_view sentence;
  OptionRange range{};  ///< of a number
};

/// Values of the options in the order of Model::options(); words are kept as their index.
using OptionValues = std::vector<double>;

/// Everything that a model may look at: no names of kernels or boards.
struct ModelInput {
  const Gpu& gpu;
  std::span<const ResourceInfo> resources;
  const Demand& demand;  ///< mean over the block's warps, per warp
  WarpLatency latency;   ///< under the latency rules that the model asked for
  LaunchShape launch;
  double static_dual_pairs = 0;          ///< dual-issue pairs on the path, each counted once
  const Simulator* simulator = nullptr;  ///< for models that simulate; null: not connected

  /// The same launch with another GPU or demand, for what-ifs.
  [[nodiscard]] ModelInput with(const Gpu& other_gpu, std::span<const ResourceInfo> other_resources,
                                const Demand& other_demand) const {
    return {other_gpu, other_resources,   other_demand, latency,
            launch,    static_dual_pairs, simulator};
  }
};

/// Of the grid, where an SM holds so many of its blocks at once.
[[nodiscard]] inline double waves_of(const ModelInput& input, double blocks_per_sm) {
  return input.launch.blocks * input.launch.started / (blocks_per_sm * input.gpu.sms);
}

/// Predicted time of one launch as a flat record: without allocation, so that a sweep costs no more
/// than its formulas.
struct Prediction {
  static constexpr std::size_t max_bounds = 48;
  static constexpr std::int16_t latency_limit = -1;

  double time_ms = 0;
  double low_ms = 0, high_ms = 0;
  double latency_cycles = 0;    ///< of a warp, as used
  double warp_throughput = 0;   ///< warps per cycle and SM, reached
  double throughput_bound = 0;  ///< warps per cycle and SM, at most
  double resident_warps = 0;    ///< per SM, as used
  double needed_warps = 0;      ///< to reach a throughput limit
  double waves = 0;
  double memory_gbs = 0;                  ///< traffic of device memory at the rate reached
  std::int16_t limiting = latency_limit;  ///< index into the bounds, or latency_limit
  std::uint16_t bound_count = 0;
  std::array<double, max_bounds> bound_cycles{};  ///< per warp and SM, in the order of bounds()
  bool waits_for_longest = false;  ///< the time is that of one block that is far longer than most
  bool applies = true;
  std::string_view why;  ///< why it does not apply, or what it left out
};

/// A named figure of one model, for the comparison view.
struct ModelNumber {
  std::string_view name;
  double value = 0;
  bool per_warp = false;  ///< grows with a warp's work; of an endless kernel, per repetition
};

/// A part of the time for which one warp is resident, for the CPI stack.
struct StackPart {
  std::string name;   ///< "issue", "dependence", "memory", "bandwidth_UNIT"; each once
  double cycles = 0;  ///< per warp, SM clock
};

/// An analytical model. Implementations hold no state; predict() may run on many threads.
class Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view sentence() const = 0;
  [[nodiscard]] virtual std::string_view reference() const = 0;
  [[nodiscard]] virtual std::span<const ModelOption> options() const = 0;
  /// Mechanisms that its formula has a term for; a test holds every model to declaring them.
  [[nodiscard]] virtual Mechanisms accounts_for() const { return {}; }
  /// Whether it simulates: it then asks ModelInput::simulator, and a prediction takes as long as
  /// that.
  [[nodiscard]] virtual bool simulates() const { return false; }
  /// What the simulation behind a prediction recorded; null without one.
  [[nodiscard]] virtual std::shared_ptr<const SimulatedTime> simulated(
      const ModelInput& input, const OptionValues& options) const;

  /// Name of the latency rule set that the model uses; empty: that of the parameter set in use. A
  /// generation that has none of that name uses "default".
  [[nodiscard]] virtual std::string_view latency_rules() const { return "default"; }
  [[nodiscard]] virtual LoopCounting loop_counting(const OptionValues& options) const;

  /// Names of the bounds that predict() fills, in order.
  [[nodiscard]] virtual std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const = 0;

  /// Time of the launch. Called for every point of a sweep: must not allocate.
  [[nodiscard]] virtual Prediction predict(const ModelInput& input,
                                           const OptionValues& options) const = 0;

  /// The model's own figures for one prediction.
  [[nodiscard]] virtual std::vector<ModelNumber> numbers(const ModelInput& input,
                                                         const OptionValues& options,
                                                         const Prediction& prediction) const;

  /// Where a warp's cycles go in one prediction, in the order in which they are shown; parts of 0
  /// may be left out. Empty: the model has no such parts.
  [[nodiscard]] virtual std::vector<StackPart> stack(const ModelInput& input,
                                                     const OptionValues& options,
                                                     const Prediction& prediction) const;

  /// Option values from `name=value` pairs ("MODEL.name" or "name"); the others keep their
  /// defaults. Refuses numbers out of the option's range; `gpu`: null where none is known yet.
  Expected<OptionValues> parse_options(
      const std::vector<std::pair<std::string, std::string>>& given,
      const Gpu* gpu = nullptr) const;
};

/// The value as the option's text: the word, or the number.
[[nodiscard]] std::string option_text(const ModelOption& option, double value);

/// All models by name, from the explicit list in model/builtin.cpp.
[[nodiscard]] const Registry<Model>& models();

}  // namespace forewarp::model
