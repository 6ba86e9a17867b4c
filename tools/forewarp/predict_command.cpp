// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "command.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "prediction_runs.h"
#include "report/documents/report.h"

namespace forewarp::cli {
namespace {

ResultDetail detail_for(const PredictionOptions& options, bool explain) {
  const bool full = options.format == "json" || options.format == "html";
  const bool shown = full || options.format.empty() || options.format == "text";
  const auto wants = [&](std::string_view view) {
    return std::find(options.views.begin(), options.views.end(), view) != options.views.end();
  };
  ResultDetail detail;
  detail.listing =
      explain || full || wants("listing") || wants("path") || wants("timeline") || wants("stalls");
  detail.provenance = full || wants("provenance");
  detail.curve = shown;
  detail.simulation = detail.listing || wants("occupancy");
  const bool whole = explain || full || options.format == "jsonl";
  detail.stalls = whole || wants("stalls");
  if (whole || wants("counterfactuals")) {
    detail.counterfactuals = WhatIfDepth::all;
  } else if (shown || options.format == "markdown") {
    detail.counterfactuals = WhatIfDepth::best;
  }
  return detail;
}

Expected<int> run_prediction(const PredictionOptions& options, bool explain) {
  auto choices = options.choices();
  if (!choices) return std::move(choices).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  if (options.worst_case && !options.sweeps.empty()) {
    return Diagnostic{"--wcet", "stands beside --sweep", "a bound of one launch at a time",
                      "--cases gives many"};
  }
  const bool one_gpu = !options.cases.empty() || !options.sweeps.empty();
  if (one_gpu && choices->gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(choices->gpus.size()) + " GPUs",
                      "one with --cases and --sweep", "run it once per GPU"};
  }
  if (!options.cases.empty()) {
    const auto predict = [&](const Case& request) {
      return predictor.predict_all(request, *choices, {}).front();
    };
    return run_cases(options, predict);
  }
  auto request = options.request();
  if (!request) return std::move(request).error();
  if (!options.sweeps.empty()) return run_sweep(predictor, options, *request, *choices);
  return report_results(predictor.predict_all(*request, *choices, detail_for(options, explain)),
                        options, explain ? ReportKind::explain : ReportKind::predict);
}

Action add(CLI::App& app, bool explain) {
  auto options = std::make_shared<PredictionOptions>();
  options->declare(app);
  return [options, explain, &app]() -> Expected<int> {
    options->has_dynamic_shared = app.count("--smem") > 0;
    return run_prediction(*options, explain);
  };
}

}  // namespace

Action add_predict(CLI::App& app) {
  return add(app, false);
}
Action add_explain(CLI::App& app) {
  return add(app, true);
}

}  // namespace forewarp::cli
