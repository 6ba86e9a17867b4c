// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/diagnostic.h"
#include "execution/order/event_sink.h"
#include "execution/order/order_limits.h"

namespace forewarp::execution {

/// How a run in simulated time ended.
struct OrderedEnd {
  std::uint64_t instructions = 0;
  std::optional<Diagnostic> failure;
  bool cut = false, stopped = false;  ///< the limit was reached; the kernel itself is wrong
  bool waits = false;  ///< cut: blocks wait, maybe for some of the grid that were not to run
};

/// Runs blocks side by side without a GPU, see NominalClock. `cut_short` receives the blocks that
/// run when the limit is reached.
OrderedEnd run_nominal(Environment& environment, EventSink& sink,
                       std::span<const std::uint64_t> blocks, const OrderLimits& limits,
                       const std::function<void(Block&)>& cut_short);

}  // namespace forewarp::execution
