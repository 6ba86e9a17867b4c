// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/counted_time.h"

namespace forewarp::model {

ThreadCost thread_cost(const ThreadCounts& counts, const ThreadCycles& cycles) {
  ThreadCost cost;
  cost.arithmetic = counts.fused * cycles.fused + counts.additions * cycles.addition +
                    counts.multiplications * cycles.multiplication +
                    counts.divisions * cycles.division;
  const double missed = counts.loads + counts.stores - counts.l1_hits - counts.l2_hits;
  cost.global = missed * cycles.global + counts.l1_hits * cycles.l1 + counts.l2_hits * cycles.l2;
  cost.shared = (counts.shared_loads + counts.shared_stores) * cycles.shared;
  return cost;
}

double counted_seconds(double threads, const ThreadCost& cost, double clock_ghz, double rate) {
  return threads * cost.all() / (clock_ghz * 1e9 * rate);
}

}  // namespace forewarp::model
