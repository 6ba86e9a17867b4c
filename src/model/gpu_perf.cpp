// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gpu_perf.h"

#include <algorithm>

namespace forewarp::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Equations 2 to 10.
void add_computation(const GpuPerfInput& in, GpuPerfTime& t) {
  t.itilp_most = in.instruction_latency * in.simd_lanes / in.warp_lanes;
  t.itilp = std::min(in.ilp * in.warps, t.itilp_most);
  t.parallel = in.instructions * in.all_warps * in.instruction_latency / t.itilp;
  if (in.instructions > 0) {
    const double factor = in.barrier_factor * t.dram_latency * in.accesses / in.instructions;
    t.sync = in.barriers * in.all_warps * factor;
  }
  if (in.sfu_lanes > 0 && in.instructions > 0) {
    const double over = in.special_functions / in.instructions - in.sfu_lanes / in.simd_lanes;
    t.special = in.special_functions * in.all_warps * in.warp_lanes / in.sfu_lanes *
                std::clamp(over, 0.0, 1.0);
  }
  t.computation = t.parallel + t.sync + t.special + in.divergence_cycles + in.bank_cycles;
}

/// Equations 11 to 15 and A.1 to A.7.
void add_memory(const GpuPerfInput& in, GpuPerfTime& t) {
  t.access_latency = t.dram_latency * in.miss_ratio + in.hit_latency;
  t.warp_gbs = in.clock_ghz * in.transaction_bytes / t.dram_latency;
  t.mwp_by_bandwidth = t.warp_gbs > 0 ? in.bandwidth_gbs / (t.warp_gbs * in.sms) : infinity;
  const double by_departure = in.departure > 0 ? t.dram_latency / in.departure : infinity;
  t.mwp = std::min({by_departure, t.mwp_by_bandwidth, in.warps});
  const double computation = in.instructions * in.instruction_latency / t.itilp;
  const double memory = in.accesses * t.access_latency / in.mlp;
  t.cwp_full = (memory + computation) / computation;
  t.cwp = std::min(t.cwp_full, in.warps);
  t.mwp_cp = std::min(std::max(1.0, t.cwp - 1), t.mwp);
  t.itmlp = std::min(in.mlp * t.mwp_cp, t.mwp_by_bandwidth);
  if (in.accesses > 0) t.memory = in.accesses * in.all_warps * t.access_latency / t.itmlp;
}

}  // namespace

GpuPerfTime gpu_perf(const GpuPerfInput& in) {
  GpuPerfTime t;
  t.dram_latency = in.memory_latency + (in.transactions - 1) * in.departure;
  add_computation(in, t);
  add_memory(in, t);
  const double exposed = t.cwp <= t.mwp ? 1 : 0;
  t.overlap = std::min(t.computation * (in.warps - exposed) / in.warps, t.memory);
  t.total = t.computation + t.memory - t.overlap;
  return t;
}

}  // namespace forewarp::model
