// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/preparation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "driver/simulation.h"
#include "driver/stages/bound.h"
#include "driver/stages/drafted.h"
#include "driver/stages/executed.h"
#include "launch/calibrated_run.h"
#include "model/automatic/automatic_rule.h"
#include "model/choice/model_choice.h"

namespace forewarp::driver {
namespace {

/// Whether a model is kept when auto drops some: it was named, or an option is meant for it.
bool is_meant(const ModelChoice& choice, std::size_t index, const PredictOptions& options) {
  if (choice.every || index < choice.named) return true;
  const std::string owner = std::string(choice.models[index]->name()) + ".";
  return std::any_of(options.model_options.begin(), options.model_options.end(),
                     [&](const auto& option) { return option.first.starts_with(owner); });
}

/// Whether the budget allows a simulation: one below the usual is for formulas.
bool budget_for_simulation(const PredictOptions& options) {
  return !options.fast &&
         options.budget_seconds.value_or(usual_budget_seconds) >= usual_budget_seconds;
}

/// Whether `auto` may simulate: without an execution there are no hit rates to draw from.
bool time_for_simulation(const PredictOptions& options, const Executed& executed) {
  return executed.profile != nullptr && budget_for_simulation(options);
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

Expected<void> add_runs(const PredictOptions& options, Prepared& prepared) {
  auto choice = choose_models(options.models, time_for_simulation(options, prepared.executed()));
  if (!choice) return std::move(choice).error();
  if (auto ok = check_model_options(*choice, options.model_options); !ok) return ok;
  prepared.automatic = choice->automatic;
  prepared.met = mechanisms_met(prepared.bound().demand(), prepared.profile() != nullptr);
  for (const std::size_t index : order_of(*choice, options, prepared.met)) {
    const Model* model = choice->models[index];
    auto values = model->parse_options(options.model_options);
    if (!values) return std::move(values).error();
    ModelRun run;
    run.model = model;
    run.options = std::move(*values);
    run.rules = rules_for(*model, prepared.gpu());
    if (run.rules == nullptr) {
      return Diagnostic{prepared.gpu().file, "has no latency rules", "a rule set named default",
                        ""};
    }
    if (!model->latency_rules().empty() && run.rules->name != model->latency_rules()) {
      run.caveat = "the latencies of its source do not cover this generation";
    }
    run.counting = model->loop_counting(run.options);
    run.latency = &prepared.bound().latency(*run.rules, run.counting);
    run.longest_block = longest_block(*prepared.stage, *run.rules, run.counting);
    if (model->simulates()) run.simulator = connect_simulation(prepared, *run.rules, options);
    if (auto ok = calibrate_run(options, prepared, run); !ok) return ok;
    prepared.runs.push_back(std::move(run));
  }
  note_calibration(options, prepared);
  return {};
}

/// Refuses unknown models, and options that they lack, before anything is executed.
Expected<void> check_models(const PredictOptions& options) {
  const bool executed = options.execute && options.trips.empty();  // at best
  const auto choice = choose_models(options.models, executed && budget_for_simulation(options));
  if (!choice) return choice.error();
  if (auto ok = check_model_options(*choice, options.model_options); !ok) return ok;
  for (const Model* model : choice->models) {
    if (auto values = model->parse_options(options.model_options); !values) {
      return std::move(values).error();
    }
  }
  return {};
}

}  // namespace

Expected<Prepared> prepare(std::shared_ptr<const Drafted> drafted, const Case& request,
                           const PredictOptions& options, ProfileStore* store) {
  if (auto ok = check_models(options); !ok) return ok.error();
  auto executed = execute(std::move(drafted), request, options, store);
  if (!executed) return std::move(executed).error();
  return prepare(std::make_shared<const Executed>(std::move(*executed)), options);
}

Expected<Prepared> prepare(std::shared_ptr<const Executed> executed,
                           const PredictOptions& options) {
  Prepared prepared;
  prepared.stage = std::make_shared<const Bound>(bind(std::move(executed), options));
  prepared.notes = prepared.stage->notes;
  if (auto ok = add_runs(options, prepared); !ok) return ok.error();
  return prepared;
}

Expected<Prepared> prepare(std::shared_ptr<const Loaded> loaded, const Case& request,
                           const PredictOptions& options, ProfileStore* store) {
  auto drafted = draft(std::move(loaded), request, options);
  if (!drafted) return std::move(drafted).error();
  return prepare(std::make_shared<const Drafted>(std::move(*drafted)), request, options, store);
}

}  // namespace forewarp::driver
