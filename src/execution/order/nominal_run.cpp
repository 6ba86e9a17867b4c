// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/nominal_run.h"

#include "execution/order/ordered_blocks.h"

namespace forewarp::execution {

OrderedEnd run_nominal(Environment& environment, EventSink& sink,
                       std::span<const std::uint64_t> blocks, const OrderLimits& limits,
                       const std::function<void(Block&)>& cut_short) {
  NominalClock clock;
  OrderedBlocks ordered(environment, sink, clock, limits);
  const bool ended = ordered.run(blocks);
  if (ordered.cut()) ordered.for_each_running(cut_short);
  OrderedEnd end{ordered.instructions(), {}, ordered.cut(), ordered.stopped(), ordered.waits()};
  if (!ended) end.failure = ordered.failure();
  return end;
}

}  // namespace forewarp::execution
