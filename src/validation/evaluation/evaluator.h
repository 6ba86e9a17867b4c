// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "result/evaluation.h"
#include "validation/evaluation/evaluation_plan.h"
#include "validation/evaluation/gpu_loader.h"

namespace forewarp::validation {

/// Which parts of a plan are run.
struct EvaluationParts {
  bool points = false;    ///< keep every point, with the models' own figures
  bool quotients = true;  ///< throughput over that of the reference
  bool needed = true;     ///< warps that reach 90 % and 100 % of the tightest limit
  bool figures = true;    ///< published figures
};

/// Volkov 2016, chapter 7: models side by side over intensities and occupancies.
Expected<ModelEvaluation> evaluate_models(const EvaluationPlan& plan, const EvaluationParts& parts,
                                          const GpuLoader& load_gpu);

}  // namespace forewarp::validation
