// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/comparison.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "comparison/line_reasons.h"
#include "comparison/reasons.h"
#include "comparison/sureness.h"
#include "comparison/time_factors.h"
#include "driver/result_builder.h"

namespace forewarp::comparison {
namespace {

constexpr double rounding = 1 + 1e-9;  // 3 % more is not more than 3 %

Result result_of(Predictor& predictor,
                 const Expected<std::shared_ptr<const Evaluation>>& evaluation,
                 const ComparedSide& side) {
  if (!evaluation) return failed_result(side.request, side.gpu, evaluation.error());
  ResultDetail detail;
  detail.listing = true;  // for the source lines
  auto result = predictor.result(**evaluation, detail);
  if (!result) return failed_result(side.request, side.gpu, result.error());
  result->id = side.request.id;
  return std::move(*result);
}

/// What was there for the reasons alone.
void drop_lines(Result& result) {
  result.listing.clear();
  result.source.clear();
  result.source_loops.clear();
  result.source_weighed_by.clear();
}

/// The run that gave the result its time.
const ModelRun& run_of(const Evaluation& evaluation, const Result& result) {
  for (const ModelRun& run : evaluation.runs) {
    if (run.model->name() == result.model) return run;
  }
  return evaluation.runs.front();
}

std::string both(const std::string& a, const std::string& b) {
  return a == b || b.empty() ? a : a.empty() ? b : a + " against " + b;
}

}  // namespace

Comparison compare(Predictor& predictor, const ComparedSide& a, const ComparedSide& b) {
  Comparison comparison;
  comparison.id = a.request.id;
  const auto first = predictor.evaluate(a.request, a.gpu, a.options);
  const auto second = predictor.evaluate(b.request, b.gpu, b.options);
  comparison.a = result_of(predictor, first, a);
  comparison.b = result_of(predictor, second, b);
  if (comparison.compared()) {
    comparison.ratio = comparison.b.time_ms / comparison.a.time_ms;
    if (std::fabs(comparison.ratio - 1) > same_time) {
      comparison.sure = sureness(range_of(comparison.a), range_of(comparison.b));
    }
    comparison.factors = time_factors(**first, run_of(**first, comparison.a), **second,
                                      run_of(**second, comparison.b));
  }
  comparison.answer = answer_of(comparison);
  comparison.reasons = reasons_of(comparison);
  for (std::string& reason : line_reasons(comparison)) {
    comparison.reasons.push_back(std::move(reason));
  }
  drop_lines(comparison.a);
  drop_lines(comparison.b);
  return comparison;
}

std::string subject_of(const Comparison& c) {
  const std::string what = c.id.empty() ? both(c.a.kernel.name, c.b.kernel.name) : c.id;
  return (what.empty() ? both(c.a.kernel.input, c.b.kernel.input) : what) + " on " +
         both(c.a.gpu.id, c.b.gpu.id);
}

void apply_gate(double fail_above, Comparisons& comparisons) {
  comparisons.fail_above = fail_above;
  if (comparisons.pairs.empty()) {
    comparisons.failures.push_back(
        "--fail-above: nothing was compared: A has " + std::to_string(comparisons.vanished.size()) +
        " cases and B has " + std::to_string(comparisons.added.size()) + ", none with the same id");
  }
  for (const Comparison& pair : comparisons.pairs) {
    for (const Result* side : {&pair.a, &pair.b}) {
      if (!side->error) continue;
      comparisons.failures.push_back(subject_of(pair) + ": " + (side == &pair.a ? "A" : "B") +
                                     " has no prediction: " + side->error->line());
    }
    if (!pair.compared() || pair.ratio <= (1 + fail_above) * rounding) continue;
    comparisons.failures.push_back(
        subject_of(pair) + ": " + significant(100 * (pair.ratio - 1), 3) + " % slower (" +
        significant(pair.a.time_ms) + " -> " + significant(pair.b.time_ms) + " ms), allowed are " +
        significant(100 * fail_above, 3) + " %");
  }
}

}  // namespace forewarp::comparison
