// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/evaluator.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "validation/evaluation/model_variant.h"
#include "validation/evaluation/published_figure.h"
#include "validation/evaluation/whole_warps.h"

namespace forewarp::validation {
namespace {

constexpr double most_share = 0.9;

/// A variant at every occupancy of one workload.
std::vector<EvaluatedPoint> points_of(WorkloadRun& run, const ModelVariant& variant,
                                      const std::vector<double>& warps, bool numbers) {
  std::vector<EvaluatedPoint> points;
  for (const double n : warps) {
    EvaluatedPoint& point = points.emplace_back(evaluated_point(run, variant, n));
    if (!numbers) continue;
    for (const ModelNumber& number : run.numbers(*variant.model, variant.options, n)) {
      point.numbers.emplace_back(number.name, number.value);
    }
  }
  return points;
}

struct GpuPart {
  const EvaluationPlan& plan;
  const EvaluationParts& parts;
  std::shared_ptr<const Gpu> gpu;
  const std::vector<ModelVariant>& variants;
  const ModelVariant& reference;
};

void evaluate_alpha(const GpuPart& part, const Workload& workload,
                    std::vector<EvaluatedSeries>& series) {
  WorkloadRun run(part.gpu, workload);
  const std::vector<double> warps =
      part.plan.warps.empty() ? whole_warps(*part.gpu) : part.plan.warps;
  std::vector<EvaluatedPoint> experiment;
  if (part.parts.quotients) experiment = points_of(run, part.reference, warps, false);
  for (std::size_t v = 0; v < part.variants.size(); ++v) {
    const ModelVariant& variant = part.variants[v];
    std::vector<EvaluatedPoint> points = points_of(run, variant, warps, part.parts.points);
    if (part.parts.quotients) {
      series[v].quotients.push_back(quotient_of(points, experiment));
    }
    if (part.parts.needed) {
      series[v].needed.push_back({workload.alpha,
                                  run.needed_warps(*variant.model, variant.options, most_share),
                                  run.needed_warps(*variant.model, variant.options, 1)});
    }
    if (part.parts.points) {
      series[v].points.insert(series[v].points.end(), points.begin(), points.end());
    }
  }
}

Expected<Workload> with_alpha(const std::string& text, double alpha) {
  auto workload = parse_workload(text);
  if (!workload) return workload;
  workload->alpha = alpha;
  return parse_workload(workload_text(*workload));
}

Expected<void> evaluate_gpu(const GpuPart& part, const std::string& id,
                            ModelEvaluation& evaluation) {
  std::vector<EvaluatedSeries> series;
  for (const ModelVariant& variant : part.variants) {
    EvaluatedSeries& one = series.emplace_back();
    one.gpu = id;
    one.model = variant.text;
    one.most_warps = part.gpu->limits.warps_per_sm;
  }
  for (const double alpha : part.plan.alphas) {
    const auto workload = with_alpha(part.plan.workload, alpha);
    if (!workload) return workload.error();
    evaluate_alpha(part, *workload, series);
  }
  for (EvaluatedSeries& one : series) evaluation.series.push_back(std::move(one));
  return {};
}

}  // namespace

Expected<ModelEvaluation> evaluate_models(const EvaluationPlan& plan, const EvaluationParts& parts,
                                          const GpuLoader& load_gpu) {
  ModelEvaluation evaluation;
  evaluation.title = plan.title;
  evaluation.source = plan.source;
  evaluation.workload = plan.workload;
  evaluation.reference = plan.reference;
  const auto variants = parse_variants(plan.models);
  if (!variants) return variants.error();
  Expected<ModelVariant> reference = ModelVariant{};
  if (!plan.gpus.empty()) reference = parse_variant(plan.reference);
  if (!reference) return std::move(reference).error();
  for (const std::string& id : plan.gpus) {
    auto gpu = load_gpu(id);
    if (!gpu) return std::move(gpu).error();
    const GpuPart part{plan, parts, *gpu, *variants, *reference};
    if (auto done = evaluate_gpu(part, id, evaluation); !done) return done.error();
  }
  if (!parts.figures) return evaluation;
  FigureRunner runner(load_gpu);
  for (const PlannedFigure& figure : plan.figures) {
    auto computed = runner.compute(figure);
    if (!computed) return std::move(computed).error();
    evaluation.figures.push_back(std::move(*computed));
  }
  return evaluation;
}

}  // namespace forewarp::validation
