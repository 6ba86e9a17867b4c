// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/workload_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quantities.h"
#include "binding/bound_kernel.h"
#include "model/choice/model_choice.h"
#include "model/warp_mix.h"
#include "prediction/simulation.h"

namespace forewarp::driver {
namespace {

constexpr double groups_followed = 1e5;   // the same for a simulation, which shortens loops
constexpr double groups_per_warp = 1e12;  // so many that one-time costs do not show
constexpr double rounds_of_blocks = 1e3;
constexpr double most_warps = 4096;
constexpr int bisection_steps = 60;
constexpr double unmeasurable = 1e-12;  // share of the peak

}  // namespace

WorkloadRun::WorkloadRun(std::shared_ptr<const Gpu> gpu, const Workload& workload)
    : gpu_(std::move(gpu)),
      workload_(workload),
      kernel_(synthetic_kernel(workload, *gpu_, groups_per_warp)),
      bound_(kernel_.kernel, *gpu_, {kernel_.path}, kernel_.patterns,
             Megahertz(gpu_->clock_sustained_mhz)),
      demand_(bound_.demand()) {}

/// Cycles that an access with scattered lanes takes longer (Volkov 2016, 6.7: linear in the
/// transactions), if the parameter set gives the latency of a fully divergent access.
double WorkloadRun::added_latency() const {
  const double divergent = gpu_->number("volkov.latency.random");
  if (workload_.other != MixedWith::memory || divergent <= 0) return 0;
  const double lanes = gpu_->limits.warp_lanes;
  const double apart =
      workload_.lanes == LaneAddresses::random ? lanes : std::min<double>(workload_.stride, lanes);
  return (divergent - gpu_->number("volkov.latency.stream")) * (apart - 1) / (lanes - 1);
}

/// Latency of the additions without the accesses. The rest is the cost of accesses including their
/// issue, as the literature counts it.
double WorkloadRun::additions_alone(const Model& model, const OptionValues& options) const {
  if (workload_.additions() == 0) return 0;
  Workload alone = workload_;
  alone.alpha = std::numeric_limits<double>::infinity();
  const SyntheticKernel kernel =
      synthetic_kernel(alone, *gpu_, groups_per_warp * workload_.additions());
  BoundKernel bound(kernel.kernel, *gpu_, {kernel.path}, kernel.patterns,
                    Megahertz(gpu_->clock_sustained_mhz));
  return bound.latency(*rules_for(model, *gpu_), model.loop_counting(options)).cycles;
}

const WorkloadRun::Input& WorkloadRun::input(const Model& model, const OptionValues& options) {
  const BoundLatency& latency =
      bound_.latency(*rules_for(model, *gpu_), model.loop_counting(options));
  for (const auto& [known, made] : inputs_) {
    if (known == &latency) return made;
  }
  Input made{demand_, {latency.cycles, latency.replacement_included}};
  const double added = added_latency() * kernel_.others / workload_.ilp * groups_per_warp;
  made.latency.cycles += added;
  if (workload_.other == MixedWith::memory) {
    made.latency.memory_cycles = made.latency.cycles - additions_alone(model, options);
  }
  return inputs_.emplace_back(&latency, std::move(made)).second;
}

LaunchShape WorkloadRun::launch(double warps) const {
  LaunchShape shape;
  shape.warps_per_block = 1;
  shape.threads_per_block = gpu_->limits.warp_lanes;
  shape.blocks_per_sm = warps;
  shape.blocks = warps * gpu_->sms * rounds_of_blocks;
  shape.clock = Megahertz(gpu_->clock_sustained_mhz);
  return shape;
}

struct WorkloadRun::Followed {
  std::shared_ptr<const Kernel> kernel;
  BoundKernel bound;
  Demand demand;
  std::shared_ptr<const Simulator> simulator;

  Followed(std::shared_ptr<const Kernel> code, const Gpu& gpu, const SyntheticKernel& made,
           const LatencyRules& rules)
      : kernel(std::move(code)),
        bound(*kernel, gpu, {made.path}, made.patterns, Megahertz(gpu.clock_sustained_mhz)),
        demand(bound.demand()),
        simulator(connect_simulation(kernel, bound, rules)) {}
};

WorkloadRun::~WorkloadRun() = default;

const WorkloadRun::Followed& WorkloadRun::followed(const Model& model) {
  if (followed_ == nullptr) {
    const SyntheticKernel made = synthetic_kernel(workload_, *gpu_, groups_followed);
    followed_ = std::make_unique<Followed>(std::make_shared<const Kernel>(made.kernel), *gpu_, made,
                                           *rules_for(model, *gpu_));
  }
  return *followed_;
}

/// Simulates every resident warp once, and scales the prediction to the usual work.
Prediction WorkloadRun::follow(const Model& model, const OptionValues& options, double warps) {
  const Followed& own = followed(model);
  LaunchShape shape = launch(std::max(1.0, std::round(warps)));
  shape.blocks /= rounds_of_blocks;
  Prediction prediction =
      model.predict({*gpu_, own.bound.resources(), own.demand, input(model, options).latency, shape,
                     0, own.simulator.get()},
                    options);
  prediction.time_ms *= rounds_of_blocks * groups_per_warp / groups_followed;
  return prediction;
}

Prediction WorkloadRun::predict(const Model& model, const OptionValues& options, double warps) {
  if (model.simulates()) return follow(model, options, warps);
  const Input& in = input(model, options);
  return model.predict({*gpu_, bound_.resources(), in.demand, in.latency, launch(warps), 0},
                       options);
}

WorkloadPoint WorkloadRun::point(const Model& model, const OptionValues& options, double warps) {
  if (model.simulates()) warps = std::max(1.0, std::round(warps));
  const Prediction prediction = predict(model, options, warps);
  WorkloadPoint point;
  point.warps = warps;
  point.applies = prediction.applies;
  const double launched = warps * gpu_->sms * rounds_of_blocks;
  const Megahertz clock(gpu_->clock_sustained_mhz);
  const Cycles cycles = cycles_in(Milliseconds(prediction.time_ms), clock) * gpu_->sms / launched;
  point.cycles = cycles.value() / groups_per_warp;
  point.additions = gpu_->limits.warp_lanes * kernel_.additions / point.cycles;
  point.other_instructions = kernel_.others / point.cycles;
  const double bytes = demand_.count(Count::read_bytes) / groups_per_warp;
  point.gbs = per_second(BytesPerCycle(bytes / point.cycles * gpu_->sms), clock).value();
  return point;
}

std::vector<ModelNumber> WorkloadRun::numbers(const Model& model, const OptionValues& options,
                                              double warps) {
  const Input& in = input(model, options);
  const ModelInput whole{*gpu_, bound_.resources(), in.demand, in.latency, launch(warps), 0};
  std::vector<ModelNumber> all = model.numbers(whole, options, model.predict(whole, options));
  for (ModelNumber& number : all) {
    if (number.per_warp) number.value /= groups_per_warp;
  }
  return all;
}

double WorkloadRun::peak(const Model& model, const OptionValues& options) {
  const Input& in = input(model, options);
  const WarpMix mix = warp_mix({*gpu_, bound_.resources(), in.demand, in.latency, launch(1), 0});
  return groups_per_warp / mix.bound_cycles();
}

double WorkloadRun::needed_warps(const Model& model, const OptionValues& options, double share) {
  const double wanted = share * peak(model, options);
  const auto reaches = [&](double warps) {
    const double cycles = point(model, options, warps).cycles;
    return cycles > 0 && 1 / cycles >= wanted * (1 - unmeasurable);
  };
  double high = 1;
  while (high < most_warps && !reaches(high)) high *= 2;
  if (high >= most_warps) return 0;
  double low = 0;
  for (int i = 0; i < bisection_steps; ++i) {
    const double middle = (low + high) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace forewarp::driver
