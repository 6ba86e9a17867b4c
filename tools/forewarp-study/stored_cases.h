// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/expected.h"
#include "forewarp/prediction_options.h"
#include "result/result.h"
#include "store/run_writer.h"
#include "sweep/points/point_runner.h"

namespace forewarp::cli {

/// Every case of --cases into the store, and its line out as without one, in the order of the file.
/// What the store has is not predicted again.
Expected<int> stored_cases(const Asked& asked, const RunStart& start,
                           const std::function<Result(const Case&)>& answer, PointRunner& runner);

}  // namespace forewarp::cli
