// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_case.h"

namespace forewarp::tests {

/// A board as Volkov 2016 has it in Tables 2.6, 2.7, 4.1 and 6.4, per SM.
struct MixBoard {
  double sms, clock_mhz, pin_gbs, peak_gbs, memory_latency, latency, instruction_cycles;
};

/// Groups of one access and alpha dependent additions, so many that the ends of a warp do not
/// count.
struct AlphaMixCase : ModelCase {
  static constexpr double groups = 1e7;
  double alpha;

  AlphaMixCase(const MixBoard& board, double alpha_, double warps) : alpha(alpha_) {
    gpu.sms = static_cast<std::uint32_t>(board.sms);
    gpu.memory.theory_gbs = board.pin_gbs;
    gpu.memory.read_share = board.peak_gbs / board.pin_gbs;
    gpu.memory.latency = board.memory_latency;
    gpu.schedulers = 1;
    gpu.issue_interval = board.instruction_cycles;
    gpu.classes["fp32"] = {"core", board.instruction_cycles, board.latency, false, {}};
    launch = {100000, 1, 32, 1, warps, Megahertz(board.clock_mhz), {}, {}};
    demand.count(Count::instructions) = groups * (alpha + 1);
    demand.count(Count::memory_instructions) = groups;
    demand.count(Count::load_requests) = groups;
    demand.count(Count::read_bytes) = 128 * groups;
    demand.cycles(0) = board.instruction_cycles * groups * (alpha + 1);
    demand.cycles(1) = board.instruction_cycles * groups * alpha;
    demand.of_class(InstructionClass::fp32) = groups * alpha;
    demand.of_class(InstructionClass::load_global) = groups;
    latency.memory_cycles = groups * board.memory_latency;
    latency.cycles = latency.memory_cycles + groups * alpha * board.latency;
  }

  /// Of one SM, until its resident warps are through one group.
  [[nodiscard]] double group_cycles(const Prediction& p) const {
    return launch.blocks_per_sm / (p.warp_throughput * groups);
  }
  [[nodiscard]] double adds_per_cycle(const Prediction& p) const {
    return gpu.limits.warp_lanes * alpha * groups * p.warp_throughput;
  }
};

inline constexpr MixBoard gt200{30, 1296, 141.7, 138, 434, 24, 4};
inline constexpr MixBoard fermi{15, 1400, 177.4, 161, 513, 18, 1};
inline constexpr MixBoard kepler{8, 1124, 192.3, 154, 301, 9, 0.25};
inline constexpr MixBoard maxwell{16, 1266, 224.3, 211, 368, 6, 0.25};

}  // namespace forewarp::tests
