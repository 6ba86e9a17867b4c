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
#include "report/report.h"

namespace forewarp::cli {
namespace {

RenderOptions render_options(const PredictionOptions& options) {
  RenderOptions render;
  if (options.output.empty()) render.style = terminal_style();
  render.views = options.views;
  return render;
}

/// A failed result among others is told in the report; alone it is the command's one line.
Expected<int> report(std::vector<Result> results, const PredictionOptions& options, bool explain) {
  const std::string format = options.format.empty() ? "text" : options.format;
  const bool failed = std::any_of(results.begin(), results.end(),
                                  [](const Result& r) { return r.error.has_value(); });
  if (failed && (format == "text" || format == "number")) {
    for (const Result& result : results) {
      if (result.error) std::fprintf(stderr, "forewarp: %s\n", result.error->c_str());
    }
    std::erase_if(results, [](const Result& r) { return r.error.has_value(); });
    if (results.empty()) return 1;
  }
  const RenderOptions render = render_options(options);
  const auto text =
      explain ? render_explain(results, format, render) : forewarp::render(results, format, render);
  if (!text) return text.error();
  if (auto written = deliver(*text, options.output); !written) return written.error();
  return failed ? 1 : 0;
}

ResultDetail detail_for(const PredictionOptions& options, bool explain) {
  const bool full = options.format == "json" || options.format == "html";
  const auto wants = [&](std::string_view view) {
    return std::find(options.views.begin(), options.views.end(), view) != options.views.end();
  };
  return {explain || full || wants("listing") || wants("path"), full || wants("provenance"),
          full || options.format.empty() || options.format == "text"};
}

Expected<int> run_prediction(const PredictionOptions& options, bool explain) {
  auto choices = options.choices();
  if (!choices) return std::move(choices).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const bool one_gpu = !options.cases.empty() || !options.sweeps.empty();
  if (one_gpu && choices->gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(choices->gpus.size()) + " GPUs",
                      "one with --cases and --sweep", "run it once per GPU"};
  }
  if (!options.cases.empty()) return run_cases(predictor, options, *choices);
  auto request = options.request();
  if (!request) return std::move(request).error();
  if (!options.sweeps.empty()) return run_sweep(predictor, options, *request, *choices);
  return report(predictor.predict_all(*request, *choices, detail_for(options, explain)), options,
                explain);
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
