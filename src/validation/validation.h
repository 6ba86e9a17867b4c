// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/expected.h"
#include "scores/predicted_points.h"

namespace forewarp::validation {

/// Predicts every point of the set and scores them. The result does not depend on the number of
/// jobs or on how often the run was interrupted and resumed. Fails if the journal cannot be
/// written.
Expected<ValidatedSet> validate(Predictor& predictor, const MeasuredSet& set,
                                const ValidationOptions& options);

/// Full results of the `count` judged points that are most wrong, worst first.
[[nodiscard]] std::vector<Result> worst_results(Predictor& predictor, const MeasuredSet& set,
                                                const ValidatedSet& validated,
                                                const ValidationOptions& options,
                                                std::size_t count);

/// Fills lines, groups and baselines from the scored points.
void score(ValidatedSet& set);

}  // namespace forewarp::validation
