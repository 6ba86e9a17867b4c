// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/expected.h"
#include "measured/points/row_scope.h"
#include "measured/tuners/tuning_problem.h"
#include "measured/tuners/tuning_results.h"
#include "request/case.h"

namespace forewarp::measured {

/// Evaluates a tuner's expressions in one configuration: they know its parameters and
/// ProblemSize_0, _1, _2.
class TunedScope {
 public:
  /// `table` has a column for each parameter and a row for each configuration; `numbers` are the
  /// same in all of them.
  TunedScope(const CsvTable& table, std::vector<std::string> problem_size,
             std::map<std::string, double> numbers = {});

  Expected<void> load(std::size_t row);
  Expected<double> value(const std::string& python);
  [[nodiscard]] bool has(std::string_view parameter) const;
  [[nodiscard]] const std::vector<std::string>& problem_size() const { return problem_size_; }

 private:
  [[nodiscard]] std::optional<double> bound(std::string_view name, bool largest) const;

  const CsvTable& table_;
  RowScope row_;
  std::vector<std::string> problem_size_;
  std::map<std::string, double> numbers_;
  std::map<std::string, std::string, std::less<>> formulas_;
};

/// Threads of a block and blocks: by the description, or by Kernel Tuner's own rule, grid =
/// problem size / (block_size_* times grid_div_*), where there is none. What the case has stays.
Expected<void> set_tuned_sizes(const TuningProblem* problem, TunedScope& scope, Case& request);

/// How set_tuned_sizes() derives the grid, as a sentence for the user.
[[nodiscard]] std::string grid_rule(const TuningProblem* problem, const TunedScope& scope);

/// Sets buffers and scalars in the order of the description, constants by name.
Expected<void> set_tuned_arguments(const TuningProblem& problem, TunedScope& scope, Case& request);

}  // namespace forewarp::measured
