// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/portfolio.h"

#include <cmath>
#include <utility>

namespace forewarp::explain {
namespace {

constexpr std::string_view not_asked =
    "device memory decides, where formulas are as good: it was not run";

Candidate candidate_of(const ModelRun& run, const Prediction& prediction) {
  return {run.model->name(), run.model->accounts_for(), prediction.time_ms,
          prediction.applies && run.caveat.empty(), run.model->simulates()};
}

/// The message when the model that was asked for gives no time at all.
Diagnostic no_time(const Prepared& prepared, const Prediction& prediction) {
  return {prepared.kernel().name,
          "the model " + std::string(prepared.runs.front().model->name()) +
              " gives no time for it on " + prepared.gpu().name + ": " +
              std::string(prediction.why),
          "a model that applies", "--model all --view models shows which do"};
}

/// Milliseconds that device memory alone would take according to this run; 0: it has no such bound.
double memory_time(const Prepared& prepared, const ModelRun& run, const Prediction& prediction) {
  const std::vector<ResourceInfo> bounds = run.model->bounds(prepared.bound().resources());
  for (std::size_t b = 0; b < prediction.bound_count && b < bounds.size(); ++b) {
    if (bounds[b].role == ResourceRole::device_memory)
      return prepared.bound_ms(prediction.bound_cycles[b]);
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

}  // namespace

bool usable(const ModelRun& run, const Prediction& prediction) {
  return candidate_of(run, prediction).usable();
}

Expected<Evaluated> evaluate(const Prepared& prepared) {
  Evaluated all{prepared.bound().demand(), {}, {}, 0, 1};
  bool simulate = !prepared.automatic;
  bool decided = simulate;
  for (const ModelRun& run : prepared.runs) {  // formulas come first
    const bool leave_out = run.model->simulates() && decided && !simulate;
    all.predictions.push_back(leave_out ? unasked() : run_model(prepared, run, all.demand));
    all.candidates.push_back(candidate_of(run, all.predictions.back()));
    if (decided || !all.candidates.back().usable()) continue;
    simulate = asks_simulation(all.predictions.back().time_ms,
                               memory_time(prepared, run, all.predictions.back()));
    decided = true;
  }
  if (!prepared.automatic) {
    const Prediction& first = all.predictions.front();
    const bool some = std::isfinite(first.time_ms) && first.time_ms > 0;
    return some ? Expected<Evaluated>(std::move(all)) : no_time(prepared, first);
  }
  const auto taken = taken_of(all.candidates);
  if (!taken) return no_usable_model(prepared);
  all.chosen = *taken;
  const auto formula = first_usable(all.candidates);
  if (formula && *formula != all.chosen)
    all.other_over_chosen = all.predictions[*formula].time_ms / all.predictions[all.chosen].time_ms;
  return all;
}

Diagnostic no_usable_model(const Prepared& prepared) {
  return {prepared.kernel().name, "no model gives a time for it on " + prepared.gpu().name,
          "a finite time above 0 of a model that applies",
          "--model NAME shows what one computes, and why it does not apply"};
}

}  // namespace forewarp::explain
