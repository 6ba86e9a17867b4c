// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/prepared.h"

#include <algorithm>

namespace forewarp::launch {

Microseconds added_time(const Gpu& gpu, const Case& request, std::optional<Timing> asked) {
  if (!asked && request.overhead_us) return Microseconds(*request.overhead_us);
  switch (asked ? *asked : request.timing.value_or(Timing::device)) {
    case Timing::device:
      break;
    case Timing::event:
      return Microseconds(gpu.event_us);
    case Timing::stream:
      return Microseconds(gpu.stream_us);
    case Timing::graph:
      return Microseconds(gpu.graph_us);
    case Timing::host:
      return Microseconds(gpu.host_us);
  }
  return {};
}

namespace {

/// Until a block that is far longer than most ends; 0: there is none.
Milliseconds longest_block_time(const LaunchShape& launch) {
  if (!(launch.longest_block > Cycles(0))) return {};
  return to_milliseconds(launch.added) + time_of(launch.longest_block, launch.clock);
}

}  // namespace

Prediction predict_run(const ModelRun& run, const ModelInput& input) {
  Prediction prediction = run.model->predict(input, run.options);
  const double least = longest_block_time(input.launch).value();
  if (prediction.time_ms < least) {
    prediction.memory_gbs *= prediction.time_ms / least;
    prediction.time_ms = least;
    prediction.low_ms = std::max(prediction.low_ms, least);
    prediction.high_ms = std::max(prediction.high_ms, least);
    prediction.limiting = Prediction::latency_limit;
    prediction.waits_for_longest = true;
  }
  if (run.divisor == 1) return prediction;
  const double added_ms = to_milliseconds(input.launch.added).value();
  const double before = prediction.time_ms;
  prediction.time_ms = added_ms + (before - added_ms) / run.divisor;
  prediction.low_ms = prediction.high_ms = prediction.time_ms;
  prediction.memory_gbs *= before / prediction.time_ms;
  return prediction;
}

double Executed::working_blocks() const {
  return std::max(1.0, static_cast<double>(drafted->draft.launch.blocks()) * working_share);
}

double Executed::working_warps() const {
  return working_blocks() * drafted->draft.occupancy.warps_per_block;
}

LaunchShape launch_shape(const LaunchDraft& draft) {
  LaunchShape shape;
  shape.blocks = static_cast<double>(draft.launch.blocks());
  shape.threads_per_block = draft.launch.threads_per_block();
  shape.warps_per_block = draft.occupancy.warps_per_block;
  shape.blocks_per_sm = draft.occupancy.blocks;
  shape.clock = draft.clock;
  shape.added = draft.added;
  return shape;
}

LaunchShape launch_shape(const Prepared& prepared) {
  LaunchShape shape = launch_shape(prepared.draft());
  shape.blocks = prepared.executed().working_blocks();
  shape.stretches = prepared.stage->stretches;
  return shape;
}

ModelInput model_input(const Prepared& prepared, const ModelRun& run, const Demand& demand) {
  ModelInput input = {prepared.gpu(),
                      prepared.bound().resources(),
                      demand,
                      {run.latency->cycles, run.latency->replacement_included,
                       run.latency->block_cycles, run.latency->memory_cycles},
                      launch_shape(prepared),
                      prepared.bound().static_dual_pairs(),
                      run.simulator.get()};
  input.launch.longest_block = run.longest_block;
  return input;
}

Prediction run_model(const Prepared& prepared, const ModelRun& run, const Demand& demand) {
  return predict_run(run, model_input(prepared, run, demand));
}

}  // namespace forewarp::launch
