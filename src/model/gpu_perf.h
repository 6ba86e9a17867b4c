// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim, Dasgupta, Kim and Vuduc 2012, "A performance analysis framework for identifying potential
// benefits in GPGPU applications" (PPoPP), equations 1 to 17 and A.1 to A.7, for one SM:
//   T = T_comp + T_mem - min(T_comp (N-z)/N, T_mem), z = 1 where CWP <= MWP, else 0   (1, 16, 17)
//   T_comp = i W l/ITILP + O_sync + O_sfu + O_cfdiv + O_bank                          (2, 3, 6)
//   ITILP  = min(ILP N, l/(lanes of a warp/lanes of the SM))                          (4, 5)
//   O_sync = S W G d m/i                                                              (7, 8)
//   O_sfu  = s W (warp/sfu) min(max(s/i - sfu/lanes, 0), 1)                           (9, 10)
//   T_mem  = m W AMAT/ITMLP, AMAT = d * misses + hit, d = DRAM + (t-1) D              (11 to 13)
//   ITMLP  = min(MLP min(max(1, CWP-1), MWP), MWP_bw)                                 (14, 15)
//   CWP    = min((M + K)/K, N), K = i l/ITILP, M = m AMAT/MLP                         (A.1 to A.4)
//   MWP    = min(d/D, MWP_bw, N), MWP_bw = bandwidth/(f transaction/d * SMs)          (A.5 to A.7)
// W: warps that an SM runs in total, N: at a time; i, m, S, s: instructions, accesses, barriers and
// special functions of a warp; l: latency of arithmetic. Equation 7 counts warps here; a public
// re-implementation counts blocks.
#pragma once

#include <limits>

namespace forewarp::model {

/// Counts are of one warp over the whole kernel. Cycles are SM clocks.
struct GpuPerfInput {
  double warps = 0;      ///< N, resident per SM
  double all_warps = 0;  ///< W, that one SM runs in total
  double instructions = 0;
  double accesses = 0;
  double barriers = 0;
  double special_functions = 0;
  double instruction_latency = 0;
  double warp_lanes = 1, simd_lanes = 1;  ///< their ratio: SM cycles per instruction
  double sfu_lanes = 0;                   ///< 0: serialisation at special functions is left out
  double ilp = 1, mlp = 1;                ///< of one warp
  double barrier_factor = 0;              ///< G, of the machine
  double memory_latency = 0;              ///< DRAM
  double departure = 0;                   ///< D, cycles between two transactions; 0: no limit
  double transactions = 1;                ///< t, of an access
  double miss_ratio = 1;                  ///< of accesses, to DRAM
  double hit_latency = 0;                 ///< added to every access by the caches on the way
  double divergence_cycles = 0, bank_cycles = 0;  ///< O_cfdiv and O_bank, all warps
  double clock_ghz = 1;
  double bandwidth_gbs = std::numeric_limits<double>::infinity();
  double transaction_bytes = 0;
  double sms = 1;
};

struct GpuPerfTime {
  double itilp_most = 0, itilp = 0;
  double parallel = 0;  ///< W_parallel
  double sync = 0, special = 0;
  double computation = 0;     ///< T_comp
  double dram_latency = 0;    ///< d, of an access of t transactions
  double access_latency = 0;  ///< AMAT
  double warp_gbs = 0, mwp_by_bandwidth = 0, mwp = 0;
  double cwp_full = 0, cwp = 0;
  double mwp_cp = 0, itmlp = 0;
  double memory = 0;   ///< T_mem
  double overlap = 0;  ///< T_overlap
  double total = 0;
};

[[nodiscard]] GpuPerfTime gpu_perf(const GpuPerfInput& input);

}  // namespace forewarp::model
