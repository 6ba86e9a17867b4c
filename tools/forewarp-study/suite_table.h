// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/results_table.h"

namespace forewarp::cli {

/// What a suite keeps of one run.
struct SuiteRun {
  double time_s = 0, energy_j = 0, failure_chance = 0;
  std::string limited_by, error;
  bool is_best = false;  ///< no other run is as good in all three and better in one
};

/// The result that `forewarp-system` printed; text that is not one becomes the run's error.
SuiteRun suite_run(std::string_view json);

/// Marks the runs that no other one beats: the Pareto front of time, energy and failure chance.
void mark_best(std::vector<SuiteRun>& runs);

/// One row a run: the values of the axes, then the figures.
ResultsTable suite_table(const std::vector<std::string>& axes,
                         const std::vector<std::vector<std::string>>& values,
                         const std::vector<SuiteRun>& runs);

/// As text, csv, jsonl or json.
std::string suite_text(const ResultsTable& table, const std::string& format);

}  // namespace forewarp::cli
