// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Volkov 2016, "Understanding Latency Hiding on GPUs", chapters 3 and 6:
//   warp throughput = min( occupancy / latency bound , throughput bound )
//   throughput bound = 1 / max over resources of the cycles that one warp takes there
//   needed occupancy = latency bound * throughput bound
// Refinements, each behind its option:
//   contention  latency grows with memory load, delay(u) = A*u + b*u/(1-u), solved
//               self-consistently
//   path        a warp's requests queue behind those of the other resident warps on their way
//               through the SM (L1 fill, store path)
//   burst       warps of a block wait together and then want the same units: the last one is
//               through when the units have served all of them. In a single wave all resident
//               warps do, in every round trip.
//   block       where the launch was executed: latency is that of a whole block, replayed alone on
//               an SM, and blocks meet at the schedulers and at the memory unit as customers of a
//               closed network do (mean value analysis, Reiser and Lavenberg 1980)
//   smooth      the two modes and the bounds meet in a p-norm instead of a corner
//   waves       whole waves of blocks, then a tail with fewer blocks per SM
// Inputs: demand per warp, latency of the lone warp, resident blocks. Known limits: cache hits are
// those of the demand; all blocks are equal; blocks of one SM meet on average only, in no
// particular order.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace forewarp::model {

class VolkovModel : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "volkov"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "latency-bound or throughput-bound, whichever is slower, with memory contention and "
           "waves";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "V. Volkov, PhD thesis, UC Berkeley, UCB/EECS-2016-143, chapters 3 and 6";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override;
  /// Empty: the rules of the parameter set in use (ID@SET), else the generation's own.
  [[nodiscard]] std::string_view latency_rules() const override { return {}; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;
  /// Parts of a warp's residence in a full wave: issue, dependence, memory, block turnaround, the
  /// rest of its block, queueing at device memory, and what the tightest unit adds.
  [[nodiscard]] std::vector<StackPart> stack(const ModelInput& input, const OptionValues& options,
                                             const Prediction& prediction) const override;
};

}  // namespace forewarp::model
