// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "prediction_options.h"

namespace forewarp::cli {

/// --cases: prints one JSON line per line of input, in order. Exit code 1 if a case failed.
Expected<int> run_cases(const Asked& asked, const std::function<Result(const Case&)>& answer);

/// Which views a report begins with.
enum class ReportKind : std::uint8_t { predict, explain, profile };

/// Prints the results in the format asked for. One of several that failed is shown in the report; a
/// single one becomes the command's diagnostic.
Expected<int> report_results(std::vector<Result> results, const Asked& asked, ReportKind kind);

/// --sweep: the cross product of the swept values, as a table or in the format asked.
Expected<int> run_sweep(Predictor& predictor, const Asked& asked);

}  // namespace forewarp::cli
