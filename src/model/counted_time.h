// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Models that multiply one thread's counts by cycles each and divide by the rate of the machine:
//   counting  T = threads (arithmetic + global + shared)/(clock occupancy weight)
//             global = (loads + stores - L1 hits - L2 hits) g + L1 hits l1 + L2 hits l2
//   BSP       T = threads (comp + comm_GM + comm_SM)/(clock cores lambda)
//             (Amaris et al., as Gajger 2017 quotes it, eq. 3.1)
#pragma once

namespace forewarp::model {

/// Counts of one thread.
struct ThreadCounts {
  double fused = 0, additions = 0, multiplications = 0, divisions = 0;
  double loads = 0, stores = 0;     ///< of global memory
  double l1_hits = 0, l2_hits = 0;  ///< loads served by L1, by L2
  double shared_loads = 0, shared_stores = 0;
};

/// Cycles of one operation or access.
struct ThreadCycles {
  double fused = 0, addition = 0, multiplication = 0, division = 0;
  double global = 0, l1 = 0, l2 = 0, shared = 0;
};

struct ThreadCost {
  double arithmetic = 0, global = 0, shared = 0;  ///< cycles of one thread, by kind
  [[nodiscard]] double all() const { return arithmetic + global + shared; }
};

[[nodiscard]] ThreadCost thread_cost(const ThreadCounts& counts, const ThreadCycles& cycles);

/// Seconds; `rate` is what the clock is multiplied by: occupancy times weight, or cores times
/// lambda.
[[nodiscard]] double counted_seconds(double threads, const ThreadCost& cost, double clock_ghz,
                                     double rate);

}  // namespace forewarp::model
