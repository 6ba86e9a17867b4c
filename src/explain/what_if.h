// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "binding/freed.h"
#include "launch/prepared.h"

namespace forewarp::explain {

enum class Perfect : std::uint8_t { none, l1, l2 };

/// A machine from which something was taken away. Everything else is the launch as it is.
struct World {
  Freed freed;                      ///< units and latencies
  bool memory_rate = false;         ///< device memory moves any number of bytes at once
  bool launch = false;              ///< blocks and launches cost nothing
  bool whole_waves = false;         ///< the same work in whole waves of blocks
  bool occupancy = false;           ///< as many warps as an SM can hold
  Perfect perfect = Perfect::none;  ///< every load hits this cache

  [[nodiscard]] World with(const World& other) const;
};

/// Runs a model again on changed numbers: latencies are scheduled anew, a block is followed anew
/// without the units that are free, caches that hit always bind the kernel anew. Nothing is
/// estimated from the first prediction. One object per thread; refers to `prepared`.
class WhatIf {
 public:
  WhatIf(const Prepared& prepared, const ModelRun& run);
  ~WhatIf();

  [[nodiscard]] Prediction predict(const World& world);
  [[nodiscard]] double time_ms(const World& world) { return predict(world).time_ms; }
  [[nodiscard]] const Demand& demand() const { return demand_; }

 private:
  struct Binding {
    BoundKernel* bound = nullptr;
    std::unique_ptr<BoundKernel> own;
    WarpTimes short_look;  ///< with nothing free
    WarpLatency latency;
  };
  Binding& binding(Perfect perfect);
  [[nodiscard]] WarpLatency latency(Binding& binding, const Freed& freed) const;
  [[nodiscard]] const Gpu& gpu(const World& world);
  [[nodiscard]] LaunchShape launch(const World& world, double& scale) const;

  const Prepared& prepared_;
  const ModelRun& run_;
  Demand demand_;
  std::unique_ptr<Gpu> changed_;
  Binding bindings_[3];
};

}  // namespace forewarp::explain
