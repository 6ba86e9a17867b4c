// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "command.h"
#include "driver/predictor.h"
#include "missing_options.h"
#include "prediction_options.h"
#include "prediction_runs.h"

namespace forewarp::cli {
namespace {

Expected<int> run_profile(const PredictionOptions& given) {
  auto asked = given.asked();
  if (!asked) return std::move(asked).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  if (!asked->delivery.cases.empty()) {
    const auto profile = [&](const Case& request) {
      return predictor.profile_all(request, asked->options).front();
    };
    return run_cases(*asked, profile);
  }
  return report_results(predictor.profile_all(asked->request, asked->options), *asked,
                        ReportKind::profile);
}

}  // namespace

Command profile_command() {
  auto options = std::make_shared<PredictionOptions>();
  Command command{"profile", "what the warps of a launch do: the kernel is executed, no model",
                  options->flags({"store", "again"})};
  command.lacks = [options] { return missing_options(*options, true); };
  command.action = [options] { return run_profile(*options); };
  return command;
}

}  // namespace forewarp::cli
