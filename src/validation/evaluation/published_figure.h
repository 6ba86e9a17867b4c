// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "driver/workload_run.h"
#include "result/evaluation.h"
#include "validation/evaluation/evaluation_plan.h"
#include "validation/evaluation/gpu_loader.h"
#include "validation/evaluation/model_variant.h"

namespace forewarp::validation {

/// The variant's prediction for the workload, without the model's own figures.
[[nodiscard]] EvaluatedPoint evaluated_point(WorkloadRun& run, const ModelVariant& variant,
                                             double warps);

/// Least and greatest throughput over the reference's, point by point (same occupancies). Points
/// where a model gives no time are counted, not compared.
[[nodiscard]] Quotient quotient_of(const std::vector<EvaluatedPoint>& points,
                                   const std::vector<EvaluatedPoint>& reference);

/// Computes our values of published figures; workloads are bound once per GPU.
class FigureRunner {
 public:
  explicit FigureRunner(GpuLoader load_gpu) : load_gpu_(std::move(load_gpu)) {}

  /// Refuses an unknown quantity, and lists the known ones.
  Expected<PublishedFigure> compute(const PlannedFigure& figure);

 private:
  Expected<double> of_formula(const PlannedFigure& figure);
  Expected<double> of_workload(const PlannedFigure& figure);
  Expected<WorkloadRun*> run_of(const std::string& gpu, const std::string& workload);
  Expected<double> quantity(const PlannedFigure& figure, WorkloadRun& run,
                            const ModelVariant& variant);

  GpuLoader load_gpu_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<WorkloadRun>> runs_;
};

}  // namespace forewarp::validation
