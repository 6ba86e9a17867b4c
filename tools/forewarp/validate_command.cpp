// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "launch/cache/content_key.h"
#include "model/choice/model_choice.h"
#include "prediction_options.h"
#include "report/documents/validation_report.h"
#include "request/case_writer.h"
#include "request/tables/calibration_file.h"
#include "result/validation_json.h"
#include "study/validation/measured_file.h"
#include "study/validation/validation.h"
#include "study/validation/validation_text.h"

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
  bool left_out = false, kernels = false, groups = false, quiet = false, counters = false;
};

/// One line that is drawn over, on a terminal only.
class Progress {
 public:
  explicit Progress(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  void operator()(const std::string& set, std::size_t done, std::size_t all) {
    if (!shown_) return;
    constexpr std::size_t width = 40;
    const std::string bar(width * done / all, '#');
    std::fprintf(stderr, "\r%-20s [%-40s] %zu of %zu", set.c_str(), bar.c_str(), done, all);
    if (done == all) std::fputc('\n', stderr);
  }

 private:
  bool shown_;
};

std::string shown_options(const ValidateOptions& options) {
  std::string text = join(options.files, " ");
  if (options.rows != 0) {
    text += " --rows " + std::to_string(options.rows) + " --seed " + std::to_string(options.seed);
  }
  if (options.counters) text += " --counters";
  if (options.left_out) text += " --left-out";
  if (!options.prediction.calibration.empty()) {
    text += " --calibration " + options.prediction.calibration;
  }
  if (options.shuffle) text += " --shuffle " + std::to_string(*options.shuffle);
  return text;
}

/// What the command line says of measurements whose files do not: code, launch, GPU.
Expected<MeasuredOptions> measured_options(const ValidateOptions& options) {
  MeasuredOptions measured = options.measured;
  auto defaults = options.prediction.request();
  if (!defaults) return std::move(defaults).error();
  measured.defaults = std::move(*defaults);
  if (options.prediction.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(options.prediction.gpus.size()) + " GPUs",
                      "the one that was measured", ""};
  }
  if (!options.prediction.gpus.empty()) measured.defaults.gpu = options.prediction.gpus.front();
  return measured;
}

/// What would refuse every single point is refused once.
Expected<void> check_choices(const ValidateOptions& options, const PredictOptions& choices) {
  const std::string& format = options.format;
  if (!format.empty() && format != "text" && format != "json" && format != "html") {
    return Diagnostic{"--format " + format, "is none of validate's", "text, json, html", ""};
  }
  if (options.rows < 0) {
    return Diagnostic{"--rows " + std::to_string(options.rows), "is negative", "0 (all) or more",
                      ""};
  }
  if (options.prediction.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(options.prediction.gpus.size()) + " GPUs", "one",
                      "run it once per GPU"};
  }
  const auto models = choose_models(choices.models);
  if (!models) return models.error();
  return check_model_options(*models, choices.model_options);
}

Expected<ValidationOptions> validation_options(const ValidateOptions& options,
                                               const HardwareDatabase& database) {
  ValidationOptions run;
  auto choices = options.prediction.choices();
  if (!choices) return std::move(choices).error();
  if (auto fine = check_choices(options, *choices); !fine) return fine.error();
  run.choices = std::move(*choices);
  run.jobs = options.jobs;
  run.left_out = options.left_out;
  run.journal = !options.journal.empty() || options.output.empty() ? options.journal
                                                                   : options.output + ".journal";
  run.shuffle = options.shuffle;
  const auto& asked = options.prediction;
  run.key = program_key(database.directory()) + join(asked.models, ",") + '|' +
            join(asked.options, ",") + '|' + join(asked.overrides, ",") + '|' + asked.clock + '|' +
            asked.timing + '|' + asked.sample + '|' + asked.toolkit +
            (asked.analyse_only ? "|static" : "") + '|' + std::to_string(asked.budget);
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
                                     ValidationOptions& run, const ValidateOptions& options) {
  if (auto fine = check_overrides(predictor, set, run); !fine) return fine.error();
  Progress progress(options.quiet);
  run.progress = [&](std::size_t done, std::size_t all) { progress(set.name, done, all); };
  auto validated = validate(predictor, set, run);
  if (!validated) return validated;
  if (validated->resumed > 0 && !options.quiet) {
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
Expected<int> run_validation(const ValidateOptions& options) {
  auto measured = measured_options(options);
  if (!measured) return std::move(measured).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  auto run = validation_options(options, *database);
  if (!run) return std::move(run).error();
  Predictor predictor(std::move(*database));
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
    auto validated = validated_set(predictor, *set, *run, options);
    if (!validated) return std::move(validated).error();
    const auto& points = validated->points;
    const bool any = std::any_of(points.begin(), points.end(),
                                 [](const ScoredPoint& point) { return point.error.empty(); });
    if (!any) code = 1;
    validation.sets.push_back(std::move(*validated));
  }
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

Action add_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateOptions>();
  PredictionOptions& prediction = options->prediction;
  app.add_option("FILES", options->files,
                 "cases with measured_ms (JSON lines), descriptions of measured data (TOML), "
                 "results of a tuner (JSON), exports of a profiler (CSV)")
      ->required();
  app.add_option("--data", options->measured.data_folders, "folders with the measurements");
  app.add_option("--sources", options->measured.source_folders,
                 "folders with the source code that descriptions name");
  app.add_option("--t1", options->measured.tuning_problem,
                 "description of the kernel that a tuner measured (T1)");
  app.add_option("--code", prediction.input, "code of measurements whose files do not name it");
  app.add_option("--gpu", prediction.gpus, "of every point, instead of the files' own");
  app.add_option("--kernel", prediction.kernel, "kernel of measurements that name none");
  app.add_option("--launch", prediction.launch, "what measurements lack of a launch (TOML)");
  app.add_option("--arg", prediction.arguments, "NAME=V or INDEX=V, for measurements without");
  app.add_option("--constant", prediction.constants, "SYMBOL=buffer:BYTES[:CONTENT]");
  app.add_option("--rows", options->rows, "of each file only so many, drawn at random");
  app.add_option("--seed", options->seed, "of the draw");
  app.add_option("--model", prediction.models, "one model or auto (default)");
  app.add_option("--option", prediction.options, "MODEL.NAME=VALUE, a model's own option");
  app.add_option("--set", prediction.overrides, "hw.PATH=VALUE, on every GPU");
  app.add_option("--calibration", prediction.calibration,
                 "a file of `forewarp calibrate`; points that it was made from stand apart");
  app.add_option("--clock", prediction.clock,
                 "MHz, base, boost, load or sustained, for every point");
  app.add_option("--timing", prediction.timing, "kind of timing of every point");
  app.add_option("--sample", prediction.sample, "auto, all or a number of blocks");
  app.add_flag("--static", prediction.analyse_only, "execute nothing: counts from the analysis");
  app.add_option("--budget", prediction.budget,
                 "seconds a point may take, 0.5 unless stated; with less auto does not simulate")
      ->check(CLI::PositiveNumber);
  app.add_flag("--left-out", options->left_out,
               "numbers fitted to these data are replaced by those fitted without the point's GPU");
  app.add_option("--shuffle", options->shuffle,
                 "deal the measurements out anew with this seed: nothing may correlate then");
  app.add_option("--cases-out", options->cases,
                 "predict nothing: write the rows as cases to this file (- is standard output)");
  app.add_option("--journal", options->journal,
                 "finished points, to go on from; default: beside the output of -o");
  app.add_flag("--kernels", options->kernels, "a line for every kernel on every GPU");
  app.add_flag("--groups", options->groups, "medians of every sweep");
  app.add_flag("--counters", options->counters,
               "counters of a profiler beside those of the profile");
  app.add_option("--worst", options->worst, "points with the largest errors to print");
  app.add_option("--format", options->format, "text (default), json, html");
  app.add_option("-o,--output", options->output, "file instead of standard output");
  app.add_option("-j,--jobs", options->jobs, "threads");
  app.add_option("--cuda", prediction.toolkit, "folder of the CUDA toolkit to use");
  app.add_flag("-q,--quiet", options->quiet, "no progress");
  return [options]() { return run_validation(*options); };
}

}  // namespace forewarp::cli
