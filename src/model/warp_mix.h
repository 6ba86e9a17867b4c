// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/model.h"

namespace forewarp::model {

/// Latency of an access at a traffic of T GB/s: a + b T / (c - T) (Volkov 2016, 6.4), optionally
/// with a second such term.
struct Contention {
  double unloaded = 0;            ///< a, cycles
  double growth = 0, pole = 0;    ///< b, cycles; c, GB/s
  double growth2 = 0, pole2 = 0;  ///< 0: no second term
  [[nodiscard]] double latency(double gbs) const;
  /// GB/s at which latency becomes infinite: the smaller pole.
  [[nodiscard]] double limit() const;
};

/// A kernel as the models of the literature see it: how much a warp computes, how often it accesses
/// global memory, and the cycles of either for a warp alone and for an SM. Cycles are SM clocks.
struct WarpMix {
  double warps = 0;  ///< resident per SM, at most as many as the grid has for an SM

  // Of one warp, over the whole launch.
  double compute = 0;       ///< warp instructions that do not access global memory
  double memory = 0;        ///< accesses to global memory
  double transactions = 0;  ///< of those accesses: lines touched
  double uncoalesced = 0;   ///< of those accesses: touch several lines
  double uncoalesced_transactions = 0;
  double bytes = 0;  ///< moved to and from device memory
  double barriers = 0;

  // How long the warp waits when it runs alone: its latency in two parts.
  double compute_wait = 0;
  double memory_wait = 0;

  // For how long one warp occupies parts of an SM.
  double pipe_cycles = 0;       ///< its tightest functional unit
  double issue_cycles = 0;      ///< its schedulers
  double sustained_cycles = 0;  ///< the SM's share of memory bandwidth, as reached in practice
  double reached_cycles = 0;    ///< the same where the source rounds its rate elsewhere
  double pin_cycles = 0;        ///< the SM's share of the theoretical bandwidth

  // Of the machine.
  double instruction_cycles = 0;   ///< SM cycles of one arithmetic instruction: 1 / alu_thru
  double instruction_latency = 0;  ///< of one arithmetic instruction of the mix
  double access_latency = 0;       ///< of one access of the mix
  double memory_latency = 0;       ///< of one access that device memory serves
  double issue_units = 1;          ///< instructions that an SM can issue per cycle
  double issue_slot = 0;           ///< SM cycles per issue, all schedulers together
  double sms = 0;
  double active_sms = 0;    ///< that the grid has a block for
  double gbs_per_rate = 0;  ///< GB/s of the GPU at one warp per cycle and SM
  double rounds = 0;        ///< memory_wait over the latency of one access without load
  Contention contention;    ///< as fitted to this GPU
  Contention contention4;   ///< a finer fit, where there is one

  double special = 0, shared = 0;  ///< of `compute`: special functions, shared-memory accesses

  [[nodiscard]] double latency() const { return compute_wait + memory_wait; }
  [[nodiscard]] double instructions() const { return compute + memory; }
  /// Tightest throughput limit, at the bandwidth reached in practice.
  [[nodiscard]] double bound_cycles() const;
};

/// The mix of the input's Demand: compute = instructions - memory instructions. Without any
/// arithmetic, the costs of an instruction are those of an addition on this GPU. A parameter set
/// may state rounded rates of its source (volkov.memory_ipc: coalesced 4-byte accesses per cycle
/// and SM).
[[nodiscard]] WarpMix warp_mix(const ModelInput& input);

}  // namespace forewarp::model
