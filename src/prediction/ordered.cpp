// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/ordered.h"

#include <utility>

#include "base/text.h"
#include "execution/access/hottest_word.h"
#include "execution/grid/ordinary_values.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/order/order_points.h"
#include "prediction/execution.h"
#include "prediction/execution_launch.h"
#include "request/tables/work_budget.h"
#include "timing/order/ordered_time.h"

namespace forewarp::prediction {
namespace {

/// Following a warp instruction in time takes as long as executing so many.
constexpr std::uint64_t followed_cost = 4;

Expected<OrderedTime> followed(const Launch& launch, const Trace& trace, const Query& query,
                               const BoundKernel& kernel) {
  const Gpu& gpu = *launch.gpu;
  auto made = execution_launch(*launch.code.kernel, launch.config, launch.arguments, query.options,
                               gpu.limits.shared_per_block_optin);
  if (!made) return made.error();
  Kernel placed = *launch.code.kernel;
  put_addresses(placed, made->module);
  const auto program = lower_kernel(placed);
  if (!program) return program.error();
  (void)take_ordinary_values(*program, made->input);
  const execution::PathProfile& paths = trace.profile->executed.paths;
  const OrderedLaunch ordered{*program,
                              made->input,
                              std::uint64_t{launch.occupancy.blocks} * gpu.sms,
                              launch.clock,
                              prediction_budget(query.options).most / followed_cost,
                              paths.instructions,
                              paths.complete() && !paths.cut,
                              execution::hottest_word(trace.profile->executed.accesses,
                                                      execution::shared_writes(*program))};
  const LatencyRules* rules = gpu.rules_named("default");
  if (rules == nullptr) rules = &gpu.rules.front();
  return ordered_time(ordered, gpu, kernel.latency(*rules, LoopCounting::strict).timing);
}

}  // namespace

Expected<std::optional<OrderedTime>> follow_order(const Launch& launch, const Trace& trace,
                                                  const Query& query, const BoundKernel& kernel,
                                                  Notes& notes) {
  using Followed = std::optional<OrderedTime>;
  if (!trace.profile || !trace.profile->executed.paths.ordered) return Followed();
  auto time = followed(launch, trace, query, kernel);
  if (trace.profile->executed.paths.waits && !(time && time->followed >= 1)) {
    notes.findings.push_back({"endless-block",
                              "blocks wait for what none of those that were executed writes: the "
                              "time is right if one of the others does; give a larger --budget"});
  }
  if (!time) {
    notes.findings.push_back(
        {"order", "the order between its blocks is not timed: " + time.error().found});
    return Followed();
  }
  if (time->record.deadlock) return *time->record.deadlock;
  notes.assumptions.push_back(
      {"order-in-time",
       "who takes a ticket, a lock or an item, what a poll sees and what a clock shows follow from "
       "this board's simulated time" +
           (time->followed < 1 ? ", of which " + significant(100 * time->followed, 2) +
                                     " % was followed and the rest taken as alike"
                               : std::string()),
       time->followed < 1 ? "--budget SECONDS" : ""});
  return Followed(std::move(*time));
}

}  // namespace forewarp::prediction
