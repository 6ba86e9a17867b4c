// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "command.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "prediction_runs.h"

namespace forewarp::cli {
namespace {

Expected<int> run_profile(const PredictionOptions& options) {
  auto choices = options.choices();
  if (!choices) return std::move(choices).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  if (!options.cases.empty()) {
    const auto profile = [&](const Case& request) {
      return predictor.profile_all(request, *choices).front();
    };
    return run_cases(options, profile);
  }
  auto request = options.request();
  if (!request) return std::move(request).error();
  return report_results(predictor.profile_all(*request, *choices), options, ReportKind::profile);
}

}  // namespace

Action add_profile(CLI::App& app) {
  auto options = std::make_shared<PredictionOptions>();
  options->declare(app);
  return [options, &app]() -> Expected<int> {
    options->has_dynamic_shared = app.count("--smem") > 0;
    return run_profile(*options);
  };
}

}  // namespace forewarp::cli
