// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mix_equations.h"

#include <algorithm>

namespace forewarp::model {

MwpCwpInput mwp_cwp_input(const WarpMix& mix, double blocks_per_sm) {
  MwpCwpInput in;
  in.warps = mix.warps;
  in.instructions = mix.instructions();
  in.issue_cycles = mix.instruction_cycles;
  in.blocks = in.blocks_per_sm = std::max(1.0, blocks_per_sm);
  in.computation_rule = false;
  if (mix.memory <= 0) return in;
  in.coalesced = mix.memory;
  in.memory_latency = mix.access_latency;
  in.bandwidth_gbs = 1;
  in.bytes = mix.pin_cycles / mix.memory;
  return in;
}

GpuPerfInput gpu_perf_input(const WarpMix& mix) {
  GpuPerfInput in;
  in.warps = in.all_warps = mix.warps;
  in.instructions = mix.instructions();
  in.accesses = mix.memory;
  in.instruction_latency = mix.instruction_latency;
  in.simd_lanes = 1 / mix.instruction_cycles;
  in.memory_latency = mix.access_latency;
  if (mix.memory <= 0) return in;
  in.bandwidth_gbs = 1;
  in.transaction_bytes = mix.reached_cycles / mix.memory;
  return in;
}

}  // namespace forewarp::model
