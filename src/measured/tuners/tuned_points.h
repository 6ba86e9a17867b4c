// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "measured/points/measured_set.h"
#include "measured/tuners/tuning_problem.h"
#include "measured/tuners/tuning_results.h"

namespace forewarp::measured {

/// What a tuner measured as points: every configuration one launch of the kernel, compiled with its
/// parameters as macros. `problem` may be null: then sizes follow Kernel Tuner's own rule, and code
/// and arguments are the options' defaults.
Expected<MeasuredSet> tuned_points(const TuningResults& results, const TuningProblem* problem,
                                   const MeasuredOptions& options);

/// The same from a file; its description is --t1, else one that lies beside it: t1.json,
/// NAME-t1.json, or the one whose benchmark or kernel has the file's name. The set's notes say
/// which.
Expected<MeasuredSet> read_tuning_results(const std::string& file, std::string_view json,
                                          const MeasuredOptions& options);

}  // namespace forewarp::measured
