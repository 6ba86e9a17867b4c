// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "binding/bound_kernel.h"
#include "binding/freed.h"
#include "prediction/evaluation.h"

namespace forewarp::explain {

enum class Perfect : std::uint8_t { none, l1, l2 };

/// What a what-if makes free or changes; everything else stays as in the launch.
struct World {
  Freed freed;                      ///< units and latencies
  bool memory_rate = false;         ///< device memory has unlimited bandwidth
  bool launch = false;              ///< blocks and launches cost nothing
  bool even_shares = false;         ///< the same work, spread evenly over SMs and waves
  bool order = false;               ///< no block waits for another one
  bool longest = false;             ///< no block takes far longer than the others
  bool occupancy = false;           ///< as many resident warps as an SM can have
  Perfect perfect = Perfect::none;  ///< every load hits this cache

  [[nodiscard]] World with(const World& other) const;
};

/// Runs a model again on changed numbers: latencies are scheduled again, a block is replayed again
/// without the units that are free, and for caches that always hit the kernel is bound again.
/// Nothing is estimated from the first prediction. One object per thread; refers to `evaluation`.
class WhatIf {
 public:
  WhatIf(const Evaluation& evaluation, const ModelRun& run);
  ~WhatIf();

  [[nodiscard]] Prediction predict(const World& world);
  [[nodiscard]] double time_ms(const World& world) { return predict(world).time_ms; }
  [[nodiscard]] const Demand& demand() const { return demand_; }

 private:
  struct Binding {
    const BoundKernel* bound = nullptr;
    std::unique_ptr<BoundKernel> own;
    WarpTimes short_look;  ///< of the short replay with nothing free
    WarpLatency latency;
  };
  Binding& binding(Perfect perfect);
  [[nodiscard]] WarpLatency latency(Binding& binding, const Freed& freed) const;
  [[nodiscard]] const Gpu& gpu(const World& world);
  [[nodiscard]] LaunchShape launch(const World& world) const;
  [[nodiscard]] Prediction predict(const World& world, const LaunchShape& shape);
  [[nodiscard]] Prediction spread(const World& world, LaunchShape shape);

  const Evaluation& evaluation_;
  const ModelRun& run_;
  Demand demand_;
  std::unique_ptr<Gpu> changed_;
  Binding bindings_[3];
};

}  // namespace forewarp::explain
