// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "sweep/cases_runner.h"
#include "sweep/points/sweep_points.h"

namespace forewarp::cli {

/// What would refuse every case is refused once.
Expected<void> check_cases(const Asked& asked);
/// The command line's code and kernel stand in for what a case leaves out.
[[nodiscard]] Case filled_case(const Asked& asked, Case request);
/// A line of the file of cases, answered.
[[nodiscard]] CaseOutput case_output(const Asked& asked,
                                     const std::function<Result(const Case&)>& answer,
                                     const CaseLine& line);

/// --cases: one JSON line out per line in, in order. Exit code 1 when a case failed.
Expected<int> run_cases(const Asked& asked, const std::function<Result(const Case&)>& answer);

/// Which views a report begins with.
enum class ReportKind : std::uint8_t { predict, explain, profile };

/// Prints the results in the format asked for. One of several that failed is shown in the report; a
/// single one becomes the command's diagnostic.
/// `lines`: of an input that is a listing, for formats that speak of lines.
Expected<int> report_results(std::vector<Result> results, const Asked& asked, ReportKind kind,
                             ListingLines lines = {});

/// Says that a sweep of so many points executes nothing.
void tell_static(const PredictOptions& options, const SweepPoints& points);

/// --sweep: the cross product of the swept values, as a table or in the format asked.
Expected<int> run_sweep(Predictor& predictor, const Asked& asked);

}  // namespace forewarp::cli
