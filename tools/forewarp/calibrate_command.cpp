// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "hardware/host_database.h"
#include "hardware/link_database.h"
#include "measured/measured_file.h"
#include "model/automatic/automatic_rule.h"
#include "model/model.h"
#include "prediction_options.h"
#include "request/tables/calibration_file.h"
#include "validation/calibration/calibrate.h"
#include "validation/calibration/host_fit.h"

namespace forewarp::cli {
namespace {

struct CalibrateCommand {
  PredictionOptions prediction;
  std::vector<std::string> files;
  MeasuredOptions measured;
  CalibrateOptions options;
  std::string what = "lambda";
  std::string link;  ///< of the host that is calibrated; empty: that of the GPU's file
  std::string name = "a calibrated host";
  std::optional<std::uint64_t> half;
};

/// `auto` is calibrated through the model that it asks first.
std::string model_of(const std::vector<std::string>& asked) {
  if (!asked.empty() && asked.front() != "auto") return asked.front();
  std::vector<const Model*> all;
  for (const auto& model : models().entries()) all.push_back(model.get());
  return std::string(all[preference(all, {}).front()]->name());
}

Expected<void> check_words(const CalibrateCommand& command, const PredictOptions& choices) {
  if (choices.models.size() > 1) {
    return Diagnostic{"--model", std::to_string(choices.models.size()) + " models", "one",
                      "run it once per model"};
  }
  if (command.what == "contention" && choices.gpus.size() != 1) {
    return Diagnostic{"--gpu", std::to_string(choices.gpus.size()) + " GPUs",
                      "the one whose memory was measured", ""};
  }
  return {};
}

Expected<void> calibrate_file(Predictor& predictor, const CalibrateCommand& command,
                              const std::string& file, Calibration& into, LeftOutPoints& left_out) {
  CalibrateOptions options = command.options;
  const auto text = read_file(file);
  if (!text) return text.error();
  options.source = file;
  options.sha256 = sha256_of(*text);
  if (command.what == "contention") {
    const auto points = parse_loaded_latencies(*text, file);
    if (!points) return points.error();
    const auto gpu =
        predictor.gpu(options.prediction.choices.gpus.front(), options.prediction.choices);
    if (!gpu) return gpu.error();
    auto numbers = calibrate_contention(**gpu, *points, options);
    if (!numbers) return std::move(numbers).error();
    std::move(numbers->begin(), numbers->end(), std::back_inserter(into.numbers));
    return {};
  }
  auto set = read_measured(file, command.measured);
  if (!set) return std::move(set).error();
  if (command.half) draw_rows(*set, set->points.size() / 2, *command.half);
  if (command.what == "bandwidth") {
    auto numbers = calibrate_bandwidth(predictor, *set, options, &left_out);
    if (!numbers) return std::move(numbers).error();
    std::move(numbers->begin(), numbers->end(), std::back_inserter(into.numbers));
    return {};
  }
  auto factors = calibrate_factors(predictor, *set, options, &left_out);
  if (!factors) return std::move(factors).error();
  std::move(factors->begin(), factors->end(), std::back_inserter(into.factors));
  return {};
}

/// Two values of one thing would silently be the first one.
Expected<void> check_twice(const Calibration& calibration) {
  std::vector<std::string> names;
  for (const CalibratedFactor& f : calibration.factors) {
    names.push_back(f.kernel + " on " + (f.gpu.empty() ? "capability " + f.cc : f.gpu));
  }
  for (const CalibratedNumber& n : calibration.numbers) names.push_back(n.path + " of " + n.gpu);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return Diagnostic{*twice, "comes out of several files", "one file for each kernel and board",
                    "join the measurements into one"};
}

void print_summary(const Calibration& calibration) {
  const auto line = [](const std::string& name, double value, const CalibrationOrigin& origin) {
    fmt::print("{:40} {:>10} {:5} points, spread {:.1f} %, error {:.1f} % -> {:.1f} %\n", name,
               significant(value, 6), origin.points, 100 * origin.spread, 100 * origin.error_before,
               100 * origin.error_after);
  };
  for (const CalibratedFactor& f : calibration.factors) {
    line(f.model + (f.option.empty() ? "" : '.' + f.option) + ' ' + f.kernel + " on " +
             (f.gpu.empty() ? "capability " + f.cc : f.gpu),
         f.value, f.origin);
  }
  for (const CalibratedNumber& n : calibration.numbers) {
    line(n.gpu + ' ' + n.path, n.value, n.origin);
  }
}

void print_left_out(const LeftOutPoints& left_out, std::FILE* stream) {
  if (left_out.count == 0) return;
  fmt::print(stream, "{} {} could not be predicted and {} left out, the first: {}\n",
             left_out.count, left_out.count == 1 ? "point" : "points",
             left_out.count == 1 ? "is" : "are", left_out.first);
}

Expected<std::vector<HostRun>> host_runs(const std::vector<std::string>& files) {
  std::vector<HostRun> runs;
  for (const std::string& file : files) {
    const auto text = read_file(file);
    if (!text) return text.error();
    auto read = parse_host_runs(*text, file);
    if (!read) return std::move(read).error();
    std::move(read->begin(), read->end(), std::back_inserter(runs));
  }
  return runs;
}

void print_fit(const HostFit& fit) {
  for (const HostNumber& number : fit.numbers) {
    fmt::print("{:16} {:>10} {:5} within {:.0f} %{}\n", number.path, significant(number.value, 4),
               number.unit, 100 * (std::exp(number.deviation) - 1),
               number.determined ? "" : "; left out: the runs say too little of it");
  }
  fmt::print("{} runs, error {:.1f} % -> {:.1f} %\n", fit.runs, 100 * fit.error_before,
             100 * fit.error_after);
}

/// A host is no board: its numbers are a file of their own, which systems name.
Expected<int> run_host_fit(const CalibrateCommand& command, const Asked& asked) {
  const auto runs = host_runs(command.files);
  if (!runs) return runs.error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  const std::filesystem::path data = database->directory();
  Predictor predictor(std::move(*database));
  HostStart start;
  std::string link_name = command.link;
  if (!asked.options.gpus.empty()) {
    const auto gpu = predictor.gpu(asked.options.gpus.front(), asked.options);
    if (!gpu) return gpu.error();
    start.launch_us = (*gpu)->host_us;
    if (link_name.empty()) link_name = (*gpu)->host_link;
  }
  if (link_name.empty()) return Diagnostic{"--link", "no link", "an id of forewarp link list", ""};
  const auto link = LinkDatabase(data).load(link_name);
  if (!link) return link.error();
  auto host = HostDatabase(data).undescribed();
  if (!host) return std::move(host).error();
  start.host = *std::move(host);
  const auto fit = fit_host(*runs, *link, start);
  if (!fit) return fit.error();
  const std::string text = host_text(*fit, command.name, join(command.files, ", "));
  if (auto written = deliver(text, asked.delivery.output); !written) return written.error();
  if (!asked.delivery.output.empty()) print_fit(*fit);
  return 0;
}

Expected<int> run_calibration(CalibrateCommand command) {
  auto asked = command.prediction.asked();
  if (!asked) return std::move(asked).error();
  if (command.what == "host") return run_host_fit(command, *asked);
  if (auto fine = check_words(command, asked->options); !fine) return fine.error();
  command.options.model = model_of(asked->options.models);
  asked->options.models.clear();
  command.measured.defaults = std::move(asked->request);
  if (!asked->options.gpus.empty()) command.measured.defaults.gpu = asked->options.gpus.front();
  command.options.prediction.choices = std::move(asked->options);
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  Calibration calibration;
  LeftOutPoints left_out;
  calibration.forewarp = FOREWARP_VERSION;
  for (const std::string& file : command.files) {
    if (auto done = calibrate_file(predictor, command, file, calibration, left_out); !done) {
      return done.error();
    }
  }
  if (auto fine = check_twice(calibration); !fine) return fine.error();
  const std::string& output = asked->delivery.output;
  if (auto written = deliver(calibration_text(calibration), output); !written) {
    return written.error();
  }
  if (!output.empty()) print_summary(calibration);
  print_left_out(left_out, output.empty() ? stderr : stdout);
  return 0;
}

}  // namespace

Command calibrate_command() {
  auto own = std::make_shared<CalibrateCommand>();
  PredictionOptions& prediction = own->prediction;
  Command command{"calibrate", "lambda, bandwidth, contention and hosts from measured runs"};
  command.flags = {
      {.names = "FILES",
       .target = &own->files,
       .help = "measurements, as `forewarp validate` takes them; for contention a CSV file with "
               "the columns gbs and cycles, for host one of runs (docs/hosts.md)",
       .required = true},
      {"--what",
       &own->what,
       "lambda (default): estimated over measured time, per kernel and GPU; bandwidth: reached "
       "shares; contention: a, b, c; host: copies, first touch, launches and calls",
       {"lambda", "bandwidth", "contention", "host"}},
      {"--link", &own->link, "for --what host: the link to its GPU; default: that of the GPU"},
      {"--name", &own->name, "for --what host: its name in the file"},
      prediction.flag("model", "whose lambda; default: the one that auto prefers"),
      {"--bound",
       &own->options.bound,
       "only points that the model calls limited by memory, latency or compute",
       {"memory", "latency", "compute"}},
      {"--from", &own->options.from, "only the point of this id"},
      {"--half", &own->half, "SEED: from half of the points; validate then judges the others"},
      {"--by-capability", &own->options.by_capability,
       "lambda holds for every GPU of the capability, not for one"},
      {"--data", &own->measured.data_folders, "folders with the measurements"},
      {"--sources", &own->measured.source_folders,
       "folders with the source code that descriptions name"},
      {"--t1", &own->measured.tuning_problem,
       "description of the kernel that a tuner measured (T1)"},
      prediction.flag("INPUT", "code of measurements whose files do not name it", "--code"),
      prediction.flag("gpu", "of every point, instead of the files' own"),
      prediction.flag("kernel", "kernel of measurements that name none"),
      prediction.flag("launch", "what measurements lack of a launch (TOML)"),
      prediction.flag("arg", "NAME=V or INDEX=V, for measurements without"),
      prediction.flag("option"),
      prediction.flag("set", "hw.PATH=VALUE, on every GPU"),
      prediction.flag("clock", "MHz, base, boost, load or sustained, for every point"),
      prediction.flag("timing", "kind of timing of every point"),
      prediction.flag("output"),
      prediction.flag("cuda")};
  command.action = [own] { return run_calibration(*own); };
  return command;
}

}  // namespace forewarp::cli
