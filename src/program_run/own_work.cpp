// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/own_work.h"

#include <algorithm>

#include "request/tables/work_budget.h"

namespace forewarp::program_run {
namespace {

constexpr double execution_share = 0.5;              // of --limit
constexpr double all_share = 0.625;                  // with predictions
constexpr std::uint64_t most_executed = 1ULL << 42;  // warp instructions of a launch

}  // namespace

bool OwnWork::below(double share, double seconds) const {
  if (settings_->execute != Execute::automatic || settings_->limit_s <= 0) return true;
  return execution_s_ + prediction_s_ + seconds < share * settings_->limit_s;
}

bool OwnWork::may_execute(double seconds) const {
  return below(execution_share, seconds);
}

bool OwnWork::may_predict(double seconds) const {
  return below(all_share, seconds);
}

std::uint64_t OwnWork::instructions_left() const {
  if (settings_->execute != Execute::automatic) return most_executed;
  const request::WorkRates& rates = request::own_work_rates();
  const double left_s = settings_->budget_s - operations_ / rates.library_operations;
  const double left =
      std::max(1.0, left_s * rates.warp_instructions - static_cast<double>(instructions_));
  return left < static_cast<double>(most_executed) ? static_cast<std::uint64_t>(left)
                                                   : most_executed;
}

}  // namespace forewarp::program_run
