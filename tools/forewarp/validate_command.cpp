// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cache/content_key.h"
#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "measured/measured_file.h"
#include "model/choice/model_choice.h"
#include "prediction_options.h"
#include "progress.h"
#include "report/documents/validation_report.h"
#include "request/files/case_writer.h"
#include "request/tables/calibration_file.h"
#include "result/validation_json.h"
#include "validation/validation.h"
#include "validation/validation_text.h"

namespace forewarp::cli {
namespace {

constexpr std::size_t worst_reports = 20;  // of each set, in a page

struct ValidateOptions {
  PredictionOptions prediction;
  std::vector<std::string> files;
  MeasuredOptions measured;
  std::string journal, format, output, cases;
  std::int64_t rows = 0;
  std::size_t worst = 3;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> shuffle;
  unsigned jobs = 0;
  bool left_out = false, kernels = false, groups = false, counters = false;
};

std::string shown_options(const ValidateOptions& options) {
  std::string text = join(options.files, " ");
  if (options.rows != 0) {
    text += " --rows " + std::to_string(options.rows) + " --seed " + std::to_string(options.seed);
  }
  if (options.counters) text += " --counters";
  if (options.left_out) text += " --left-out";
  if (options.prediction.given("calibration")) {
    text += " --calibration " + options.prediction.texts("calibration").front();
  }
  if (options.shuffle) text += " --shuffle " + std::to_string(*options.shuffle);
  return text;
}

/// What the command line says of measurements whose files do not: code, launch, GPU.
Expected<MeasuredOptions> measured_options(const ValidateOptions& options, const Asked& asked) {
  MeasuredOptions measured = options.measured;
  measured.defaults = asked.request;
  const std::vector<std::string>& gpus = asked.options.gpus;
  if (gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(gpus.size()) + " GPUs", "the one that was measured",
                      ""};
  }
  if (!gpus.empty()) measured.defaults.gpu = gpus.front();
  return measured;
}

/// What would refuse every single point is refused once.
Expected<void> check_choices(const ValidateOptions& options, const PredictOptions& choices) {
  const std::string& format = options.format;
  if (!format.empty() && format != "text" && format != "json" && format != "html") {
    return Diagnostic{"--format " + format, "is not a format of validate", "text, json, html", ""};
  }
  if (options.rows < 0) {
    return Diagnostic{"--rows " + std::to_string(options.rows), "is negative", "0 (all) or more",
                      ""};
  }
  if (choices.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(choices.gpus.size()) + " GPUs", "one",
                      "run it once per GPU"};
  }
  const auto models = choose_models(choices.models);
  if (!models) return models.error();
  return check_model_options(*models, choices.model_options);
}

Expected<ValidationOptions> validation_options(const ValidateOptions& options, const Asked& asked,
                                               const HardwareDatabase& database) {
  ValidationOptions run;
  if (auto fine = check_choices(options, asked.options); !fine) return fine.error();
  run.choices = asked.options;
  run.jobs = options.jobs;
  run.left_out = options.left_out;
  run.journal = !options.journal.empty() || options.output.empty() ? options.journal
                                                                   : options.output + ".journal";
  if (!asked.delivery.store.empty()) run.journal.clear();
  run.shuffle = options.shuffle;
  run.key = program_key(database.directory()) + options.prediction.key();
  if (run.choices.calibration != nullptr) {
    run.key += "|calibration " + calibration_text(*run.choices.calibration);
  }
  if (!options.counters) return run;
  auto counters = load_counters(database.directory());
  if (!counters) return std::move(counters).error();
  run.counters = std::move(*counters);
  run.key += "|counters";
  return run;
}

/// A `--set` that no GPU file has is refused with the first board that it meets.
Expected<void> check_overrides(Predictor& predictor, const MeasuredSet& set,
                               const ValidationOptions& run) {
  for (const MeasuredPoint& point : set.points) {
    if (point.request.gpu.empty() || !predictor.gpu(point.request.gpu, {})) continue;
    const auto changed = predictor.gpu(point.request.gpu, run.choices);
    if (!changed) return changed.error();
    return {};
  }
  return {};
}

/// A cross-check that replaces nothing would pass for one that did.
Expected<void> check_left_out(const MeasuredSet& set) {
  if (set.left_out.empty()) {
    return Diagnostic{"--left-out", set.name + " states no numbers without one of its GPUs",
                      "a table [left_out.GPU] in its description", ""};
  }
  for (const auto& [gpu, facts] : set.left_out) {
    const bool known =
        std::any_of(set.points.begin(), set.points.end(),
                    [&gpu = gpu](const MeasuredPoint& point) { return point.request.gpu == gpu; });
    if (!known) {
      return Diagnostic{"--left-out", "no row of " + set.name + " is of the GPU '" + gpu + "'",
                        "the ids of its GPUs in [left_out]", ""};
    }
  }
  return {};
}

std::string rendered(const Validation& validation, const ValidateOptions& options) {
  if (options.format == "json") return to_json(validation);
  if (options.format == "html") return validation_page(validation);
  return validation_text(validation, {options.kernels, options.groups, options.worst});
}

Expected<ValidatedSet> validated_set(Predictor& predictor, const MeasuredSet& set,
                                     ValidationOptions& run, const ValidateOptions& options,
                                     const Delivery& delivery) {
  if (auto fine = check_overrides(predictor, set, run); !fine) return fine.error();
  Progress progress(progress_wanted(delivery.quiet, delivery.progress));
  run.progress = [&](std::size_t done, std::size_t all) { progress(set.name, done, all); };
  auto validated = validate(predictor, set, run);
  if (!validated) return validated;
  if (validated->resumed > 0 && !delivery.quiet) {
    std::fprintf(stderr, "forewarp: %s: %zu points were finished before\n", set.name.c_str(),
                 validated->resumed);
  }
  if (options.format == "html") {
    validated->worst = worst_results(predictor, set, *validated, run, worst_reports);
  }
  return validated;
}

/// The drawn rows as cases, one a line; rows that make none are left out.
void add_cases(Predictor& predictor, const MeasuredSet& set, const ValidationOptions& run,
               std::string& lines) {
  for (const MeasuredPoint& point : set.points) {
    auto request = measured_case(predictor, set, point, run);
    if (!request) continue;
    lines += case_line(*request) + '\n';
  }
}

/// 1 when a set has no prediction at all.
Expected<int> run_validation(StudyHost& host, const ValidateOptions& options) {
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  auto measured = measured_options(options, *asked);
  if (!measured) return std::move(measured).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  auto run = validation_options(options, *asked, *database);
  if (!run) return std::move(run).error();
  Predictor predictor(std::move(*database));
  const Delivery& delivery = asked->delivery;
  std::unique_ptr<PointKeeper> keeper;
  if (!delivery.store.empty()) {
    if (!options.journal.empty()) {
      return Diagnostic{"--journal", "cannot be combined with --store",
                        "one place for finished points", "leave out one of them"};
    }
    auto made = host.keeper(predictor, {"validate", delivery.store, delivery.again});
    if (!made) return std::move(made).error();
    keeper = *std::move(made);
  }
  run->keeper = keeper.get();
  run->runner = host.runner();
  Validation validation;
  validation.options = shown_options(options);
  validation.tool_version = FOREWARP_VERSION;
  int code = 0;
  std::string cases;
  for (const std::string& file : options.files) {
    auto set = read_measured(file, *measured);
    if (!set) return std::move(set).error();
    if (options.left_out) {
      if (auto stated = check_left_out(*set); !stated) return stated.error();
    }
    draw_rows(*set, static_cast<std::size_t>(options.rows), options.seed);
    if (!options.cases.empty()) {
      add_cases(predictor, *set, *run, cases);
      continue;
    }
    auto validated = validated_set(predictor, *set, *run, options, delivery);
    if (!validated) return std::move(validated).error();
    const auto& points = validated->points;
    const bool any = std::any_of(points.begin(), points.end(),
                                 [](const ScoredPoint& point) { return point.error.empty(); });
    if (!any) code = 1;
    validation.sets.push_back(std::move(*validated));
  }
  if (keeper) {
    if (auto kept = keeper->finish(); !kept) return kept.error();
  }
  if (!host.answers()) return code;
  if (!options.cases.empty()) {
    const std::string file = options.cases == "-" ? std::string() : options.cases;
    if (auto written = deliver(cases, file); !written) return written.error();
    return code;
  }
  if (auto written = deliver(rendered(validation, options), options.output); !written) {
    return written.error();
  }
  return code;
}

}  // namespace

Command validate_command(StudyHost& host) {
  auto options = std::make_shared<ValidateOptions>();
  PredictionOptions& prediction = options->prediction;
  Command command{"validate", "how wrong predictions are, on data that others measured"};
  command.flags = {
      {.names = "FILES",
       .target = &options->files,
       .help = "cases with measured_ms (JSON lines), descriptions of measured data (TOML), "
               "results of a tuner (JSON), exports of a profiler (CSV)",
       .required = true},
      {"--data", &options->measured.data_folders, "folders with the measurements"},
      {"--sources", &options->measured.source_folders,
       "folders with the source code that descriptions name"},
      {"--t1", &options->measured.tuning_problem,
       "description of the kernel that a tuner measured (T1)"},
      prediction.flag("INPUT", "code of measurements whose files do not name it", "--code"),
      prediction.flag("gpu", "of every point, instead of the files' own"),
      prediction.flag("kernel", "kernel of measurements that name none"),
      prediction.flag("launch", "what measurements lack of a launch (TOML)"),
      prediction.flag("arg", "NAME=V or INDEX=V, for measurements without"),
      prediction.flag("constant"),
      {"--rows", &options->rows, "of each file only so many, drawn at random"},
      {"--seed", &options->seed, "of the draw"},
      prediction.flag("model", "one model or auto (default)"),
      prediction.flag("option"),
      prediction.flag("set", "hw.PATH=VALUE, on every GPU"),
      prediction.flag("calibration",
                      "a file of `forewarp calibrate`; points that it was made from stand apart"),
      prediction.flag("clock", "MHz, base, boost, load or sustained, for every point"),
      prediction.flag("timing", "kind of timing of every point"),
      prediction.flag("sample"),
      prediction.flag("static", "execute nothing: counts from the analysis"),
      prediction.flag("budget",
                      "seconds a point may take, 0.5 unless stated; with less auto does "
                      "not simulate"),
      {"--left-out", &options->left_out,
       "numbers fitted to these data are replaced by those fitted without the point's GPU"},
      {"--shuffle", &options->shuffle,
       "permute the measured times with this seed; any correlation left is an artefact"},
      {"--cases-out", &options->cases,
       "predict nothing: write the rows as cases to this file (- is standard output)"},
      {"--journal", &options->journal,
       "finished points, to go on from; default: beside the output of -o"},
      {"--kernels", &options->kernels, "a line for every kernel on every GPU"},
      {"--groups", &options->groups, "medians of every sweep"},
      {"--counters", &options->counters, "counters of a profiler beside those of the profile"},
      {"--worst", &options->worst, "points with the largest errors to print"},
      {"--format", &options->format, "text (default), json, html"},
      {"-o,--output", &options->output, "file instead of standard output"},
      {"-j,--jobs", &options->jobs, "threads"},
      prediction.flag("cuda"),
      prediction.flag("store"),
      prediction.flag("again"),
      prediction.flag("quiet"),
      prediction.flag("progress")};
  command.action = [&host, options] { return run_validation(host, *options); };
  return command;
}

}  // namespace forewarp::cli
