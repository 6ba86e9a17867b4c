// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/baghsorkhi/baghsorkhi_model.h"

#include <algorithm>

namespace forewarp::model {
namespace {

struct Nodes {
  double computation = 0;  ///< cycles of the instructions between two accesses
  double bandwidth = 0;    ///< equation 4
  double exposed = 0;      ///< equation 6
};

Nodes nodes_of(const WarpMix& mix) {
  Nodes nodes;
  const double each = std::max(mix.instruction_cycles, mix.instruction_latency / mix.warps);
  if (mix.memory <= 0) {
    nodes.computation = mix.compute * each;
    return nodes;
  }
  nodes.computation = mix.compute / mix.memory * each;
  const double between = nodes.computation + mix.instruction_cycles;
  nodes.bandwidth =
      mix.instruction_cycles + std::max(0.0, mix.sustained_cycles / mix.memory - between);
  nodes.exposed = mix.access_latency - (mix.warps - 1) * between;
  return nodes;
}

double warp_cycles(const WarpMix& mix, const Nodes& nodes) {
  const double each = nodes.computation + std::max(nodes.bandwidth, nodes.exposed);
  return mix.memory > 0 ? mix.memory * each : nodes.computation;
}

}  // namespace

MixTime BaghsorkhiModel::time(const ModelInput& input, const WarpMix& mix,
                              const OptionValues& options) const {
  (void)input;
  (void)options;
  return mix_time(warp_cycles(mix, nodes_of(mix)));
}

std::vector<ModelNumber> BaghsorkhiModel::figures(const ModelInput& input, const WarpMix& mix,
                                                  const OptionValues& options) const {
  (void)input;
  (void)options;
  const Nodes nodes = nodes_of(mix);
  return {{"warp_latency", warp_cycles(mix, nodes), true},
          {"latency_bandwidth", nodes.bandwidth},
          {"latency_exposed", nodes.exposed}};
}

}  // namespace forewarp::model
