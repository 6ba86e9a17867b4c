// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "binding/bound_kernel.h"
#include "hardware/gpu.h"
#include "model/automatic/automatic_rule.h"
#include "prediction/execution.h"
#include "program/kernel.h"

namespace forewarp::prediction {

namespace {

constexpr std::string_view not_asked =
    "device memory decides, where formulas are as good: it was not run";

Candidate candidate_of(const ModelRun& run, const Prediction& prediction) {
  return {run.model->name(), run.model->accounts_for(), prediction.time_ms,
          prediction.applies && run.caveat.empty(), run.model->simulates()};
}

/// The message when the model that was asked for gives no time at all.
Diagnostic no_time(const Evaluation& evaluation) {
  const ModelRun& asked = evaluation.runs.front();
  const std::string why = asked.prediction.why.empty()
                              ? "its time is " + significant(asked.prediction.time_ms) + " ms"
                              : std::string(asked.prediction.why);
  return {evaluation.launch->code.kernel->name,
          "the model " + std::string(asked.model->name()) + " gives no time for it on " +
              evaluation.launch->gpu->name + ": " + why,
          "a model that applies, and whose time is finite and above 0",
          "--model all --view models shows which do"};
}

/// Milliseconds that device memory alone would take according to this run; 0: it has no such bound.
double memory_time(const Evaluation& evaluation, const ModelRun& run) {
  const Prediction& prediction = run.prediction;
  const std::vector<ResourceInfo> bounds = run.model->bounds(evaluation.bound->kernel->resources());
  for (std::size_t b = 0; b < prediction.bound_count && b < bounds.size(); ++b) {
    if (bounds[b].role == ResourceRole::device_memory)
      return bound_ms(evaluation, prediction.bound_cycles[b]);
  }
  return 0;
}

Prediction unasked() {
  Prediction none;
  none.time_ms = std::nan("");
  none.applies = false;
  none.why = not_asked;
  return none;
}

/// The time of something that the launch cannot be faster than; 0: there is none.
Milliseconds least_time(const LaunchShape& launch, Cycles least) {
  if (!(least > Cycles(0))) return {};
  return to_milliseconds(launch.added) + time_of(least, launch.clock);
}

/// Raises a time that is below `least`; whether it was.
bool raise_to(double least, Prediction& prediction) {
  if (prediction.time_ms >= least) return false;
  prediction.memory_gbs *= prediction.time_ms / least;
  prediction.time_ms = least;
  prediction.low_ms = std::max(prediction.low_ms, least);
  prediction.high_ms = std::max(prediction.high_ms, least);
  prediction.limiting = Prediction::latency_limit;
  return true;
}

/// A block far longer than the others ends no sooner than it can after it has begun. `others_ms`:
/// of the grid as if all were alike.
void wait_for_longest(const ModelRun& run, const LaunchShape& launch, double others_ms,
                      Prediction& prediction) {
  if (!(launch.longest_block > Cycles(0))) return;
  const double begins_ms = run.longest_begins * std::max(0.0, others_ms);
  if (raise_to(begins_ms + least_time(launch, launch.longest_block).value(), prediction))
    prediction.waits_for_longest = true;
}

}  // namespace

bool waits_for_order(const ModelRun& run, const LaunchShape& launch, const Prediction& prediction) {
  constexpr double same = 1e-9;
  const double least = least_time(launch, run.ordered).value();
  return least > 0 && prediction.time_ms * run.divisor <= least * (1 + same);
}

Prediction predict_run(const ModelRun& run, const ModelInput& input) {
  Prediction prediction = run.model->predict(input, run.options);
  const LaunchShape& launch = input.launch;
  const double others_ms = prediction.time_ms - to_milliseconds(launch.added).value();
  if (run.uneven) spread_unevenly(*run.uneven, input, prediction);
  wait_for_longest(run, launch, others_ms, prediction);
  if (raise_to(least_time(launch, run.ordered).value(), prediction))
    prediction.waits_for_longest = false;
  if (run.divisor == 1) return prediction;
  const double added_ms = to_milliseconds(input.launch.added).value();
  const double before = prediction.time_ms;
  prediction.time_ms = added_ms + (before - added_ms) / run.divisor;
  prediction.low_ms = prediction.high_ms = prediction.time_ms;
  prediction.memory_gbs *= before / prediction.time_ms;
  return prediction;
}

bool usable(const ModelRun& run, const Prediction& prediction) {
  return candidate_of(run, prediction).usable();
}

std::vector<Candidate> candidates_of(const Evaluation& evaluation) {
  std::vector<Candidate> candidates;
  for (const ModelRun& run : evaluation.runs) {
    candidates.push_back(candidate_of(run, run.prediction));
  }
  return candidates;
}

Expected<void> run_models(Evaluation& evaluation) {
  bool simulate = !evaluation.automatic;
  bool decided = simulate;
  for (ModelRun& run : evaluation.runs) {  // formulas come first
    const bool leave_out = run.model->simulates() && decided && !simulate;
    run.prediction =
        leave_out ? unasked() : predict_run(run, model_input(evaluation, run, evaluation.demand));
    if (decided || !usable(run, run.prediction)) continue;
    simulate =
        asks_simulation(run.prediction.time_ms, memory_time(evaluation, run), evaluation.met);
    decided = true;
  }
  if (!evaluation.automatic) {
    const double first = evaluation.runs.front().prediction.time_ms;
    if (std::isfinite(first) && first > 0) return {};
    return no_time(evaluation);
  }
  const std::vector<Candidate> candidates = candidates_of(evaluation);
  const auto taken = taken_of(candidates);
  if (!taken) return no_usable_model(*evaluation.launch);
  evaluation.chosen = *taken;
  const auto formula = first_usable(candidates);
  if (formula && *formula != evaluation.chosen) {
    evaluation.other_over_chosen =
        evaluation.runs[*formula].prediction.time_ms / evaluation.taken().prediction.time_ms;
  }
  return {};
}

/// Says that the launch waits for a block that nobody looked at.
void note_longest(Evaluation& made) {
  if (!made.taken().prediction.waits_for_longest) return;
  const LongBlocks& longest = made.trace->profile->longest;
  const double beyond = longest.unseen_beyond(longest.unseen.expected);
  if (!(beyond > 1)) return;
  made.notes.assumptions.push_back(
      {"unseen-longest",
       "the longest of the blocks that were not looked at is taken to be " +
           significant(beyond, 3) + " times as long as the longest of the others",
       "--budget SECONDS, --sample all"});
}

Expected<Evaluation> evaluate(std::shared_ptr<const Launch> launch,
                              std::shared_ptr<const Trace> trace,
                              std::shared_ptr<const Bound> bound, const Query& query,
                              const std::shared_ptr<MemoryCache>& cache) {
  auto made = choose_runs(std::move(launch), std::move(trace), std::move(bound), query, cache);
  if (!made) return made;
  if (auto ok = run_models(*made); !ok) return ok.error();
  note_longest(*made);
  return made;
}

Diagnostic no_usable_model(const Launch& launch) {
  return {launch.code.kernel->name, "no model gives a time for it on " + launch.gpu->name,
          "a finite time above 0 of a model that applies",
          "--model NAME shows what one computes, and why it does not apply"};
}

const std::vector<ResourceInfo>& resources_of(const Evaluation& evaluation) {
  return evaluation.bound->kernel->resources();
}

double bound_ms(const Evaluation& evaluation, double cycles_per_warp) {
  const Launch& launch = *evaluation.launch;
  const Cycles all(cycles_per_warp * evaluation.trace->working_warps());
  return time_of(all, launch.gpu->sms * launch.clock).value();
}

LaunchShape launch_shape(const Launch& launch) {
  LaunchShape shape;
  shape.blocks = static_cast<double>(launch.config.blocks());
  shape.threads_per_block = launch.config.threads_per_block();
  shape.warps_per_block = launch.occupancy.warps_per_block;
  shape.blocks_per_sm = launch.occupancy.blocks;
  shape.clock = launch.clock;
  shape.added = launch.added;
  return shape;
}

LaunchShape launch_shape(const Evaluation& evaluation) {
  LaunchShape shape = launch_shape(*evaluation.launch);
  shape.blocks = evaluation.trace->working_blocks();
  if (shape.blocks > 0)
    shape.started = static_cast<double>(evaluation.launch->config.blocks()) / shape.blocks;
  shape.stretches = evaluation.bound->stretches;
  return shape;
}

ModelInput model_input(const Evaluation& evaluation, const ModelRun& run, const Demand& demand) {
  const BoundKernel& bound = *evaluation.bound->kernel;
  ModelInput input = {*evaluation.launch->gpu,
                      bound.resources(),
                      demand,
                      {run.latency->cycles, run.latency->replacement_included,
                       run.latency->block_cycles, run.latency->memory_cycles},
                      launch_shape(evaluation),
                      bound.static_dual_pairs(),
                      run.simulator.get()};
  input.launch.longest_block = run.longest_block;
  return input;
}

double longest_unseen(const Evaluation& evaluation) {
  const ModelRun& run = evaluation.taken();
  if (!(run.longest_most > run.longest_block)) return 1;
  ModelInput input = model_input(evaluation, run, evaluation.demand);
  input.launch.longest_block = run.longest_most;
  return std::max(1.0, predict_run(run, input).time_ms / run.prediction.time_ms);
}

std::size_t kept_bytes(const Evaluation& evaluation) {
  constexpr std::size_t of_run = 4096;
  return sizeof evaluation + of_run * evaluation.runs.size() + kept_bytes(*evaluation.trace) +
         kept_bytes(*evaluation.bound);
}

}  // namespace forewarp::prediction
