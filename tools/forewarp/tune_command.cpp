// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cache/content_key.h"
#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "model/choice/model_choice.h"
#include "prediction_options.h"
#include "progress.h"
#include "request/tables/calibration_file.h"
#include "request/tables/work_budget.h"
#include "result/tuning_json.h"
#include "signals.h"
#include "tuning/tune.h"
#include "tuning/tuning_text.h"

namespace forewarp::cli {
namespace {

/// Seconds of counted work for a configuration and for the best of them: enough to execute some of
/// its blocks, too few to simulate it.
constexpr TuningBudget usual_budget{.seconds = 0.05, .refined = 20, .refined_seconds = 0.2};

struct TuneOptions {
  PredictionOptions prediction;
  TuningRequest request;
  std::string measured, journal, format, output;
  std::uint64_t top = 10, next = 0, draw = 0, seed = 1;
  std::optional<std::uint64_t> refine;
  unsigned jobs = 0;
};

/// What would refuse every configuration is refused once.
Expected<void> check_choices(const TuneOptions& options, const Asked& asked) {
  const std::string& format = options.format;
  if (!format.empty() && format != "text" && format != "json" && format != "csv" &&
      format != "kernel-tuner-cache") {
    return Diagnostic{"--format " + format, "is not a format of tune",
                      "text, json, csv, kernel-tuner-cache", ""};
  }
  if (asked.options.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(asked.options.gpus.size()) + " GPUs", "one",
                      "run it once per GPU"};
  }
  const auto models = choose_models(asked.options.models);
  if (!models) return models.error();
  return check_model_options(*models, asked.options.model_options);
}

/// The whole of what was asked, so that a result says how it came about.
std::string shown_options(const TuneOptions& options) {
  std::string text = options.request.file;
  for (const std::string& parameter : options.request.parameters) text += " --param " + parameter;
  for (const std::string& rule : options.request.restrictions) text += " --restrict '" + rule + "'";
  if (!options.request.grid.empty()) text += " --grid '" + options.request.grid + "'";
  if (!options.request.block.empty()) text += " --block '" + options.request.block + "'";
  if (!options.request.shared.empty()) text += " --smem '" + options.request.shared + "'";
  if (options.draw > 0) {
    text += " --draw " + std::to_string(options.draw) + " --seed " + std::to_string(options.seed);
  }
  if (!options.measured.empty()) text += " --measured " + options.measured;
  return text;
}

ValidationOptions run_options(const TuneOptions& options, const Asked& asked,
                              const HardwareDatabase& database) {
  ValidationOptions run;
  run.choices = asked.options;
  run.jobs = options.jobs;
  run.journal = !options.journal.empty() || options.output.empty() ? options.journal
                                                                   : options.output + ".journal";
  if (!asked.delivery.store.empty()) run.journal.clear();
  run.key = program_key(database.directory()) + options.prediction.key();
  if (run.choices.calibration != nullptr) {
    run.key += "|calibration " + calibration_text(*run.choices.calibration);
  }
  return run;
}

std::string rendered(const Tuning& tuning, const TuneOptions& options) {
  if (options.format == "json") return to_json(tuning, options.top);
  if (options.format == "csv") return tuning_csv(tuning, options.top);
  if (options.format == "kernel-tuner-cache") return kernel_tuner_cache(tuning);
  return tuning_text(tuning, options.top);
}

Expected<void> add_measured(const TuneOptions& options, Tuning& tuning) {
  if (!options.measured.empty()) {
    const auto text = read_file(options.measured);
    if (!text) return text.error();
    const auto measured = parse_measured(*text, options.measured, tuning);
    if (!measured) return measured.error();
    correct(tuning, *measured);
  }
  if (options.next > 0) find_next(tuning, options.next);
  return {};
}

/// --budget is for every configuration alike.
TuningBudget budget_of(const TuneOptions& options, const Asked& asked) {
  TuningBudget budget = usual_budget;
  if (asked.options.budget_seconds) budget = {*asked.options.budget_seconds, 0, 0};
  if (options.refine) budget.refined = *options.refine;
  if (budget.refined_seconds == 0) budget.refined_seconds = usual_budget_seconds;
  return budget;
}

void describe(const TuneOptions& options, const TuningBudget& budget, Tuning& tuning) {
  if (interrupted() && tuning.not_reached == 0) {
    tuning.notes.push_back("incomplete: the run was ended before all of the best were refined");
  }
  tuning.options = shown_options(options);
  tuning.tool_version = FOREWARP_VERSION;
  std::string note =
      "each configuration may take " + significant(budget.seconds) + " s of counted work";
  if (budget.refined > 0) {
    note += ", the best " + std::to_string(budget.refined) + " " +
            significant(budget.refined_seconds) + " s: they stand before the others";
  }
  tuning.notes.push_back(note + " (--budget, --refine; predict takes " +
                         significant(usual_budget_seconds) + " s)");
}

/// 1 where nothing is ranked, or the run was ended.
Expected<int> run_tune(StudyHost& host, TuneOptions& options) {
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  if (auto fine = check_choices(options, *asked); !fine) return fine.error();
  options.request.measured.defaults = asked->request;
  if (!asked->options.gpus.empty()) {
    options.request.measured.defaults.gpu = asked->options.gpus.front();
  }
  auto task = read_tuning_task(options.request);
  if (!task) return std::move(task).error();
  draw_configurations(*task, options.draw, options.seed);
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  ValidationOptions run = run_options(options, *asked, *database);
  const Delivery& delivery = asked->delivery;
  Predictor predictor(std::move(*database));
  std::unique_ptr<PointKeeper> keeper;
  if (!delivery.store.empty()) {
    if (!options.journal.empty()) {
      return Diagnostic{"--journal", "cannot be combined with --store",
                        "one place for finished points", "leave out one of them"};
    }
    auto made = host.keeper(predictor, {"tune", delivery.store, delivery.again});
    if (!made) return std::move(made).error();
    keeper = *std::move(made);
  }
  run.keeper = keeper.get();
  run.runner = host.runner();
  Progress progress(progress_wanted(delivery.quiet, delivery.progress));
  run.progress = [&](std::size_t done, std::size_t all) { progress("tune", done, all); };
  run.stop = [] { return interrupted(); };
  stop_at_interrupt();
  if (run.runner == nullptr) stop_at_termination();  // other ranks are ended with this one
  const TuningBudget budget = budget_of(options, *asked);
  auto tuning = tune(predictor, std::move(*task), run, budget);
  if (!tuning) return std::move(tuning).error();
  if (keeper) {
    if (auto kept = keeper->finish(); !kept) return kept.error();
  }
  if (!host.answers()) return 0;
  if (auto added = add_measured(options, *tuning); !added) return added.error();
  describe(options, budget, *tuning);
  if (auto written = deliver(rendered(*tuning, options), options.output); !written) {
    return written.error();
  }
  if (tuning->not_reached == 0 && !interrupted()) return tuning->ranking.empty() ? 1 : 0;
  std::fprintf(stderr,
               "forewarp: interrupted: %zu of %zu configurations were looked at; the same command "
               "goes on from the caches\n",
               tuning->points.size() - tuning->not_reached, tuning->points.size());
  return 1;
}

}  // namespace

Command tune_command(StudyHost& host) {
  auto options = std::make_shared<TuneOptions>();
  PredictionOptions& prediction = options->prediction;
  TuningRequest& request = options->request;
  Command command{"tune", "the best configurations of a parameter space"};
  command.flags = {
      {.names = "FILE",
       .target = &request.file,
       .help =
           "source (.cu), a space of configurations (TOML), or a tuner's description (T1, JSON)",
       .required = true},
      {"--param", &request.parameters,
       "NAME=A,B,.. or NAME=FROM:TO (doubling): a macro of the source; block=32x4:256x8: its "
       "block"},
      {"--restrict", &request.restrictions,
       "an expression of the parameters that holds in every configuration"},
      {"--grid", &request.grid, "blocks, X[,Y[,Z]]: expressions of parameters and named arguments"},
      {"--block", &request.block, "threads per block, the same"},
      {"--smem", &request.shared, "dynamic shared memory per block in bytes, an expression"},
      prediction.flag("gpu", "the board; instead of the file's own"),
      prediction.flag("kernel"),
      prediction.flag("launch"),
      prediction.flag("arg"),
      prediction.flag("constant"),
      prediction.flag("nvcc-option"),
      {"--sources", &request.measured.source_folders, "folders with the source that a file names"},
      {"--data", &request.measured.data_folders, "folders with lists of configurations"},
      {"--measured", &options->measured,
       "configurations that were measured, CSV with time_ms or a tuner's cache: they correct the "
       "ranking of the others"},
      {"--next", &options->next, "number of configurations to suggest for measuring next"},
      {"--top", &options->top, "number of the best to show, 10 unless stated; 0: all"},
      {"--draw", &options->draw, "predict only this many of the configurations, drawn at random"},
      {"--seed", &options->seed, "of the draw"},
      {"--format", &options->format, "text (default), json, csv, kernel-tuner-cache"},
      {"-o,--output", &options->output, "file instead of standard output"},
      {"--journal", &options->journal,
       "finished configurations, to go on from; default: beside the output of -o"},
      prediction.flag("model", "one model or auto (default)"),
      prediction.flag("option"),
      prediction.flag("set"),
      prediction.flag("calibration"),
      prediction.flag("clock"),
      prediction.flag("timing"),
      prediction.flag("cold"),
      prediction.flag("warm"),
      prediction.flag("sample"),
      prediction.flag("static", "execute nothing: counts from the analysis"),
      prediction.flag("budget",
                      "seconds of counted work that a configuration may take, 0.05 "
                      "unless stated; from 0.5 on auto simulates"),
      {"--refine", &options->refine,
       "number of the best to predict once more with a larger budget, 20 unless --budget is "
       "stated"},
      {"-j,--jobs", &options->jobs, "threads"},
      prediction.flag("cuda"),
      prediction.flag("store"),
      prediction.flag("again"),
      prediction.flag("quiet"),
      prediction.flag("progress")};
  command.action = [&host, options] { return run_tune(host, *options); };
  return command;
}

}  // namespace forewarp::cli
