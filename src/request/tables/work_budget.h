// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/expected.h"
#include "request/predict_options.h"

namespace forewarp::request {

/// The content of data/work.toml: how fast this program works on the machine on which that was
/// measured. Budgets are converted to counts of work by these rates, so that no clock decides an
/// answer.
struct WorkRates {
  double warp_instructions = 0;       ///< executed on the CPU, per second
  double replayed_lines = 0;          ///< lines replayed through the caches, per second
  double simulated_instructions = 0;  ///< warp instructions of a simulation, per second
  double library_operations = 0;      ///< multiply-adds of OpenBLAS, per second
  double cut_factor = 1;              ///< half-width of the interval if a block was cut
};

/// Refuses a rate that is not above 0 and a factor below 1.
Expected<WorkRates> parse_work_rates(std::string_view toml, std::string_view file);

/// data/work.toml as it was when the program was built.
[[nodiscard]] const WorkRates& own_work_rates();

inline constexpr double usual_budget_seconds = 0.5;  ///< budget of a prediction without --budget

/// How many warp instructions an execution may take.
struct ExecutionBudget {
  std::uint64_t sample = 0;  ///< a smaller grid is executed whole, a sample grows up to this
  std::uint64_t most = 0;    ///< in total: an execution that takes more is cut
};

/// The budget of a prediction. A sample grows to a tenth of it: more does not make the answer
/// surer, and the rest is for the caches and a simulation.
[[nodiscard]] ExecutionBudget prediction_budget(const PredictOptions& options);

/// The budget of a command that only counts: `usual` warp instructions, or what --budget says.
[[nodiscard]] ExecutionBudget counting_budget(const PredictOptions& options, std::uint64_t usual);

/// How a prediction spent its budget, in seconds of counted work.
struct WorkAccount {
  double budget = usual_budget_seconds;
  double executed = 0, replayed = 0;

  [[nodiscard]] double left() const { return budget - executed - replayed; }
};

/// Seconds of counted work in which a simulation follows so many warp instructions.
[[nodiscard]] double simulation_seconds(double warp_instructions);

}  // namespace forewarp::request
