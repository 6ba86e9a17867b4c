// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/expected.h"
#include "request/predict_options.h"

namespace forewarp::request {

/// data/work.toml: what our own work costs on the machine that it was measured on. Budgets are
/// spent in counts of work through these, so that no clock decides an answer.
struct WorkRates {
  double warp_instructions = 0;       ///< executed, per second
  double replayed_lines = 0;          ///< asked of the caches, per second
  double simulated_instructions = 0;  ///< warp instructions of a simulation, per second
  double cut_factor = 1;              ///< half-width of an interval when only a part was executed
};

/// Refused: a rate that is not above 0, a factor below 1.
Expected<WorkRates> parse_work_rates(std::string_view toml, std::string_view file);

/// data/work.toml as it was when the program was built: the costs of this program.
[[nodiscard]] const WorkRates& own_work_rates();

inline constexpr double usual_budget_seconds = 0.5;  ///< of a prediction, without --budget

/// How many warp instructions an execution may take.
struct ExecutionBudget {
  std::uint64_t sample = 0;  ///< a grid of no more runs whole, a sample grows up to it
  std::uint64_t most = 0;    ///< all together: what takes longer is cut
};

/// Of a prediction. A tenth of the budget is what a sample grows to: more makes the answer no
/// surer, and what is left goes to the caches and to a simulation.
[[nodiscard]] ExecutionBudget prediction_budget(const PredictOptions& options);

/// Of a command that counts, and has nothing else to do: `usual` warp instructions, or what
/// --budget says.
[[nodiscard]] ExecutionBudget counting_budget(const PredictOptions& options, std::uint64_t usual);

/// What a prediction's budget went to, in seconds of counted work.
struct WorkAccount {
  double budget = usual_budget_seconds;
  double executed = 0, replayed = 0;

  [[nodiscard]] double left() const { return budget - executed - replayed; }
};

/// Seconds that following so many warp instructions takes a simulation.
[[nodiscard]] double simulation_seconds(double warp_instructions);

}  // namespace forewarp::request
