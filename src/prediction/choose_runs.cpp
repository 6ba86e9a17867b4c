// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "binding/bound_kernel.h"
#include "hardware/gpu.h"
#include "model/automatic/automatic_rule.h"
#include "model/choice/model_choice.h"
#include "prediction/calibrated_run.h"
#include "prediction/evaluation.h"
#include "prediction/execution.h"
#include "prediction/simulation.h"

namespace forewarp::prediction {
namespace {

/// Whether a model is kept when auto drops some: it was named, or an option is meant for it.
bool is_meant(const ModelChoice& choice, std::size_t index, const PredictOptions& options) {
  if (choice.every || index < choice.named) return true;
  const std::string owner = std::string(choice.models[index]->name()) + ".";
  return std::any_of(options.model_options.begin(), options.model_options.end(),
                     [&](const auto& option) { return option.first.starts_with(owner); });
}

/// Whether the budget allows a simulation: one below the usual is for formulas.
bool budget_for_simulation(const Query& query) {
  return !query.options.fast && query.budget_seconds.value >= usual_budget_seconds;
}

/// Whether `auto` may simulate: without an execution there are no hit rates to draw from.
bool time_for_simulation(const Query& query, const Trace& trace) {
  return trace.profile != nullptr && budget_for_simulation(query);
}

/// The models in the order in which they are run and shown.
std::vector<std::size_t> order_of(const ModelChoice& choice, const PredictOptions& options,
                                  Mechanisms met) {
  std::vector<std::size_t> order(choice.models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!choice.automatic) return order;
  order = preference(choice.models, met);
  std::vector<std::size_t> kept;
  for (const std::size_t index : order) {
    const bool stays = choice.models[index]->simulates() || is_meant(choice, index, options);
    if (kept.size() <= models_beside || stays) kept.push_back(index);
  }
  return kept;
}

Expected<void> add_runs(const Query& query, const std::shared_ptr<MemoryCache>& cache,
                        Evaluation& made) {
  const PredictOptions& options = query.options;
  const Gpu& gpu = *made.launch->gpu;
  auto choice = choose_models(options.models, time_for_simulation(query, *made.trace));
  if (!choice) return std::move(choice).error();
  if (auto ok = check_model_options(*choice, options.model_options); !ok) return ok;
  made.automatic = choice->automatic;
  made.met = mechanisms_met(made.demand, made.trace->profile != nullptr);
  const auto uneven = uneven_blocks(*made.launch, *made.trace);
  for (const std::size_t index : order_of(*choice, options, made.met)) {
    const Model* model = choice->models[index];
    auto values = model->parse_options(options.model_options, &gpu);
    if (!values) return std::move(values).error();
    ModelRun run;
    run.model = model;
    run.options = std::move(*values);
    run.rules = rules_for(*model, gpu);
    if (run.rules == nullptr) {
      return Diagnostic{gpu.file, "has no latency rules", "a rule set named default", ""};
    }
    if (!model->latency_rules().empty() && run.rules->name != model->latency_rules()) {
      run.caveat = "the latencies of its source do not cover this generation";
    }
    run.counting = model->loop_counting(run.options);
    run.latency = &made.bound->kernel->latency(*run.rules, run.counting);
    if (made.bound->longest) {
      const LongBlocks& longest = made.trace->profile->longest;
      const auto with = [&](double unseen) {
        return longest_block(*made.launch, *made.trace, *made.bound, *run.rules, run.counting,
                             longest.unseen_beyond(unseen));
      };
      run.longest_block = with(longest.unseen.expected);
      run.longest_most = with(longest.unseen.most);
    }
    run.longest_begins = longest_begins(*made.launch, *made.trace);
    run.uneven = uneven;
    if (made.bound->order) run.ordered = Cycles(made.bound->order->cycles);
    if (model->simulates()) run.simulator = connect_simulation(made, *run.rules, options, cache);
    if (auto ok = calibrate_run(options, made, run); !ok) return ok;
    made.runs.push_back(std::move(run));
  }
  note_calibration(options, made);
  return {};
}

}  // namespace

Expected<void> check_models(const Query& query) {
  const PredictOptions& options = query.options;
  const bool executed = options.execute && options.trips.empty();  // at best
  const auto choice = choose_models(options.models, executed && budget_for_simulation(query));
  if (!choice) return choice.error();
  if (auto ok = check_model_options(*choice, options.model_options); !ok) return ok;
  for (const Model* model : choice->models) {
    if (auto values = model->parse_options(options.model_options); !values) {
      return std::move(values).error();
    }
  }
  return {};
}

Expected<Evaluation> choose_runs(std::shared_ptr<const Launch> launch,
                                 std::shared_ptr<const Trace> trace,
                                 std::shared_ptr<const Bound> bound, const Query& query,
                                 const std::shared_ptr<MemoryCache>& cache) {
  Evaluation made;
  for (const Notes* notes : {&launch->notes, &trace->notes, &bound->notes}) made.notes.add(*notes);
  made.launch = std::move(launch);
  made.trace = std::move(trace);
  made.bound = std::move(bound);
  made.demand = made.bound->kernel->demand();
  if (auto ok = add_runs(query, cache, made); !ok) return ok.error();
  return made;
}

}  // namespace forewarp::prediction
