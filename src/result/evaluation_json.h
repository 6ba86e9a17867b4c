// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/evaluation.h"

namespace forewarp::result {

/// Schema "forewarp.evaluation_result/1".
[[nodiscard]] std::string evaluation_json(const ModelEvaluation& evaluation);

/// One line per point: gpu, model, alpha, warps, cycles, rates and whether the model applies.
[[nodiscard]] std::string evaluation_csv(const ModelEvaluation& evaluation);

}  // namespace forewarp::result
