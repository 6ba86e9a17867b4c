// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Voudouris 2014, "Analysis and modeling of the timing behavior of GPU architectures", section 6.2,
// equations 1 to 11: the cycles of one warp are the sum over instruction classes of count times
// cycles, less the cycles in which the warp itself has work between a load and the use of its data:
//   base = dep D + ind I + lds L + sts S + st T
//   best = base + ld best, worst = base + ld worst, average = base + ld (average - hidden per load)
// At most so much is hidden that a load still takes its best case.
#pragma once

namespace forewarp::model {

/// Instructions of one warp by class.
struct AggregateCounts {
  double dependent = 0, independent = 0;  ///< arithmetic; dependent: on the instruction just before
  double shared_loads = 0, shared_stores = 0;
  double loads = 0, stores = 0;  ///< of global memory
};

/// Cycles of one instruction of each class.
struct AggregateCycles {
  double dependent = 0, independent = 0;
  double shared_load = 0, shared_store = 0;
  double store = 0;
  double load_best = 0, load_average = 0, load_worst = 0;
};

struct AggregateTime {
  double base = 0;    ///< without global loads
  double hidden = 0;  ///< hidden cycles of all loads together, after the limit
  double best = 0, average = 0, worst = 0;
};

/// `hidden`: cycles, summed over all loads, in which the warp has other work while a load is under
/// way.
[[nodiscard]] AggregateTime aggregate_time(const AggregateCounts& counts,
                                           const AggregateCycles& cycles, double hidden);

}  // namespace forewarp::model
