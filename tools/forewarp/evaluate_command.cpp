// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "report/documents/evaluation_report.h"
#include "result/evaluation_json.h"
#include "validation/evaluation/evaluation_text.h"
#include "validation/evaluation/evaluator.h"

namespace forewarp::cli {
namespace {

constexpr const char* default_plan = "volkov2016";

struct EvaluateOptions {
  std::string plan, workload, reference, alphas, warps, format, output;
  std::vector<std::string> gpus, models;
  PredictionOptions prediction;  ///< --set alone
  bool points = false;
};

Expected<std::vector<double>> numbers(const std::string& option, const std::string& text,
                                      double least) {
  std::vector<double> values;
  for (const std::string_view part : split(text, ',')) {
    const auto value = parse_number(part);
    if (!value || !(*value >= least)) {
      return Diagnostic{option + " " + text, "'" + std::string(part) + "'",
                        "numbers from " + significant(least) + " on, as 1,2,8", ""};
    }
    values.push_back(*value);
  }
  return values;
}

/// A file, or one of data/evaluations by its name.
std::string plan_file(const HardwareDatabase& database, const std::string& asked) {
  const std::string name = asked.empty() ? default_plan : asked;
  const auto own = database.directory() / "evaluations" / (name + ".toml");
  return std::filesystem::exists(own) ? own.string() : name;
}

/// What the command line says goes before what the file says.
Expected<void> narrow(EvaluationPlan& plan, const EvaluateOptions& options) {
  if (!options.gpus.empty()) plan.gpus = options.gpus;
  if (!options.models.empty()) plan.models = options.models;
  if (!options.workload.empty()) plan.workload = options.workload;
  if (!options.reference.empty()) plan.reference = options.reference;
  if (!options.alphas.empty()) {
    auto alphas = numbers("--alpha", options.alphas, 0);
    if (!alphas) return std::move(alphas).error();
    plan.alphas = std::move(*alphas);
  }
  if (!options.warps.empty()) {
    auto warps = numbers("--warps", options.warps, 1);
    if (!warps) return std::move(warps).error();
    plan.warps = std::move(*warps);
  }
  return {};
}

/// Points alone where one asks for some; else what chapter 7 shows.
EvaluationParts parts_of(const EvaluateOptions& options) {
  const bool narrowed = !options.gpus.empty() || !options.models.empty() ||
                        !options.workload.empty() || !options.alphas.empty() ||
                        !options.warps.empty();
  EvaluationParts parts;
  parts.points = options.points || options.format == "csv";
  parts.quotients = parts.needed = !parts.points;
  parts.figures = !narrowed && !parts.points;
  return parts;
}

std::string rendered(const ModelEvaluation& evaluation, const std::string& format) {
  if (format == "json") return evaluation_json(evaluation);
  if (format == "csv") return evaluation_csv(evaluation);
  if (format == "html") return evaluation_page(evaluation);
  return evaluation_text(evaluation);
}

Expected<int> run_evaluation(const EvaluateOptions& options) {
  const std::string& format = options.format;
  if (!format.empty() && format != "text" && format != "json" && format != "csv" &&
      format != "html") {
    return Diagnostic{"--format " + format, "is not a format of evaluate", "text, json, csv, html",
                      ""};
  }
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  auto plan = load_plan(plan_file(*database, options.plan));
  if (!plan) return std::move(plan).error();
  if (auto fine = narrow(*plan, options); !fine) return fine.error();
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  Predictor predictor(std::move(*database));
  const auto load = [&](const std::string& id) { return predictor.gpu(id, asked->options); };
  auto evaluation = evaluate_models(*plan, parts_of(options), load);
  if (!evaluation) return std::move(evaluation).error();
  if (auto written = deliver(rendered(*evaluation, format), options.output); !written) {
    return written.error();
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  auto options = std::make_shared<EvaluateOptions>();
  Command command{"evaluate", "models side by side on synthetic workloads"};
  command.flags = {
      {"PLAN", &options->plan,
       "what to evaluate: volkov2016 (default: his chapter 7), voudouris2014, or a file (TOML)"},
      {.names = "--gpu", .target = &options->gpus, .help = "instead of the plan's", .comma = true},
      {.names = "--model",
       .target = &options->models,
       .help = "NAME[:OPTION=VALUE].. or all, instead of the plan's; repeatable",
       .comma = true},
      {"--workload", &options->workload,
       "memory, sfu or shared, with :ilp=K, stride=S, ways=W or random"},
      {"--alpha", &options->alphas, "additions per other instruction: A,B,..; 0: none"},
      {"--warps", &options->warps, "per SM: N,M,..; default: whole warps per scheduler"},
      {"--reference", &options->reference, "model that stands for the experiment"},
      options->prediction.flag("set", "hw.PATH=VALUE, on every GPU"),
      {"--points", &options->points, "every point with the models' own figures (JSON)"},
      {"--format", &options->format, "text (default), json, csv, html"},
      {"-o,--output", &options->output, "file instead of standard output"}};
  command.action = [options] { return run_evaluation(*options); };
  return command;
}

}  // namespace forewarp::cli
