// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Hong and Kim 2009, "An analytical model for a GPU architecture with memory-level and thread-level
// parallelism awareness" (ISCA), equations 5 to 26, as a function of plain numbers:
//   L_u = L + (u-1) D_u, L_c = L, W_u = U/(U+C), L_mem = L_u W_u + L_c (1-W_u)      (10 to 14)
//   D   = D_u u W_u + D_c (1-W_u)                          departure delay           (15)
//   MWP = min(L_mem/D, bandwidth/(f b/L_mem SMs), N)                                 (5 to 7, 16)
//   CWP = min((M + K)/K, N), M = L_u U + L_c C, K = issue * instructions             (8, 9, 18, 19)
//   MWP = N = CWP                M + K + K/A (MWP-1)                                 (22)
//   CWP >= MWP or K > M          M N/MWP + K/A (MWP-1)                               (23)
//   MWP > CWP                    L_mem + K N                                         (24)
//   all times blocks/(blocks per SM * SMs), plus D (MWP-1) S * blocks                (21, 25, 26)
#pragma once

#include <limits>

namespace forewarp::model {

/// Of one warp over the whole kernel, unless noted. Cycles are SM clocks.
struct MwpCwpInput {
  double warps = 0;                  ///< N, resident per SM
  double instructions = 0;           ///< all of them, accesses included
  double coalesced = 0;              ///< C, accesses of one transaction, or of several back to back
  double uncoalesced = 0;            ///< U
  double barriers = 0;               ///< S
  double issue_cycles = 0;           ///< SM cycles per instruction
  double memory_latency = 0;         ///< L, of one transaction
  double departure_coalesced = 0;    ///< D_c, cycles between two accesses of an SM; 0: no limit
  double departure_uncoalesced = 0;  ///< D_u, between two transactions of one access
  double transactions = 1;           ///< u, of an uncoalesced access
  double bytes = 0;                  ///< moved by one access
  double clock_ghz = 1;
  double bandwidth_gbs = std::numeric_limits<double>::infinity();  ///< theoretical
  double sms = 1;                                                  ///< SMs that have blocks
  double blocks = 1;
  double blocks_per_sm = 1;
  /// Use (23) also where computation exceeds memory time (K > M), as equation 23 is printed.
  bool computation_rule = true;
};

struct MwpCwpTime {
  double memory_access = 0;    ///< L_mem
  double departure_delay = 0;  ///< D
  double mwp_by_delay = 0;     ///< infinite without a departure delay
  double warp_gbs = 0;         ///< bandwidth that one warp takes
  double mwp_by_bandwidth = 0;
  double mwp = 0;
  double computation = 0;  ///< K
  double memory = 0;       ///< M
  double cwp_full = 0;     ///< CWP with enough warps
  double cwp = 0;
  double rounds = 0;        ///< #Rep, rounds of resident blocks
  double round_cycles = 0;  ///< one round, without barriers
  double execution = 0;     ///< all rounds
  double barriers = 0;      ///< cycles lost at barriers, all rounds
  double total = 0;
};

[[nodiscard]] MwpCwpTime mwp_cwp(const MwpCwpInput& input);

/// The case of equations 22 to 24 that a round falls in, from its MWP and CWP.
struct MwpCwpRound {
  double warps = 0, accesses = 0;
  double memory_access = 0, memory = 0, computation = 0;
  double mwp = 0, cwp = 0;
  bool computation_rule = true;
};

/// Cycles of one round by equations 22 to 24; without accesses, the computation of all warps.
[[nodiscard]] double mwp_cwp_round(const MwpCwpRound& round);

}  // namespace forewarp::model
