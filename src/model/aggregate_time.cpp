// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/aggregate_time.h"

#include <algorithm>

namespace forewarp::model {

AggregateTime aggregate_time(const AggregateCounts& counts, const AggregateCycles& cycles,
                             double hidden) {
  AggregateTime time;
  time.base = counts.dependent * cycles.dependent + counts.independent * cycles.independent +
              counts.shared_loads * cycles.shared_load +
              counts.shared_stores * cycles.shared_store + counts.stores * cycles.store;
  const double most = counts.loads * std::max(0.0, cycles.load_average - cycles.load_best);
  time.hidden = std::clamp(hidden, 0.0, most);
  time.best = time.base + counts.loads * cycles.load_best;
  time.average = time.base + counts.loads * cycles.load_average - time.hidden;
  time.worst = time.base + counts.loads * cycles.load_worst;
  return time;
}

}  // namespace forewarp::model
