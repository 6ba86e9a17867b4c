// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "characterise/latencies/device_latencies.h"
#include "characterise/latencies/latency_plot.h"
#include "command.h"
#include "driver/predictor.h"
#include "model/simulated_time.h"
#include "prediction_options.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;
using characterise::LatencySeries;
using Seen = SimulatedDetail::Latency;

struct Own {
  PredictionOptions options;
  std::string at, samples, test, format = "text";
  std::vector<std::string> where;
};

struct Access {
  std::string address, text;
  Seen seen;
};

/// Accesses of several instructions as one distribution; wide bins stay wide.
LatencySeries pooled(const std::vector<Access>& accesses) {
  double all = 0, width = 1;
  for (const Access& access : accesses) {
    all += access.seen.count;
    width = std::max(width, access.seen.width);
  }
  std::vector<double> counts;
  for (const Access& access : accesses) {
    for (std::size_t i = 0; i < access.seen.bins.size(); ++i) {
      const auto bin = static_cast<std::size_t>(access.seen.width * static_cast<double>(i) / width);
      if (counts.size() <= bin) counts.resize(bin + 1, 0);
      counts[bin] += access.seen.bins[i];
    }
  }
  LatencySeries series{"simulated", {}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0)
      series.bins.push_back({width * static_cast<double>(i), width, counts[i] / all});
  }
  return series;
}

bool outside_the_sm(const Seen& seen) {
  return std::ranges::any_of(seen.levels, [](const auto& level) {
    return level.first == "l1" || level.first == "l2" || level.first == "memory";
  });
}

/// The accesses that are asked for: of the instruction at `at`, else all that ask L1 or beyond.
Expected<std::vector<Access>> accesses_of(const Evaluation& evaluation, const std::string& at) {
  const ModelRun& run = evaluation.taken();
  const auto time =
      run.model->simulated(model_input(evaluation, run, evaluation.demand), run.options);
  const Kernel& kernel = *evaluation.launch->code.kernel;
  std::vector<Access> found;
  std::string known;
  for (const Seen& seen : time == nullptr ? std::vector<Seen>{} : time->detail.latencies) {
    const Instruction& instruction = kernel.instructions[seen.index];
    const std::string address = hex(instruction.address, 4);
    known += (known.empty() ? "" : ", ") + address;
    if (at.empty() ? !outside_the_sm(seen) : address != at) continue;
    found.push_back({address, std::string(kernel.text_of(instruction)), seen});
  }
  if (!found.empty()) return found;
  if (at.empty()) {
    return Diagnostic{evaluation.launch->code.input, "reads no memory beyond the SM",
                      "loads of global or local memory", "another instruction: --at ADDRESS"};
  }
  return Diagnostic{"--at", "no simulated access has the address '" + at + "'",
                    known.empty() ? "a kernel that reads memory" : "one of " + known, ""};
}

Expected<characterise::DeviceLatencies> of_device(const Own& own, std::string& name) {
  namespace fs = std::filesystem;
  const std::string device_file = (fs::path(own.samples) / "device.json").string();
  const std::string samples_file = (fs::path(own.samples) / "samples.tsv").string();
  const auto device_text = read_file(device_file);
  if (!device_text) return device_text.error();
  const auto device = characterise::parse_device(*device_text, device_file);
  if (!device) return device.error();
  const auto bytes = read_file(samples_file);
  if (!bytes) return bytes.error();
  const auto samples = characterise::parse_samples(*bytes, samples_file);
  if (!samples) return samples.error();
  name = device->name;
  std::vector<std::pair<std::string, std::string>> where;
  for (const std::string& one : own.where) {
    const auto equals = one.find('=');
    if (equals == std::string::npos) {
      return Diagnostic{"--where", "'" + one + "' has no value", "NAME=VALUE", ""};
    }
    where.emplace_back(one.substr(0, equals), one.substr(equals + 1));
  }
  return characterise::device_latencies(*samples, *device, own.test, where);
}

std::string as_text(const Evaluation& evaluation, const std::vector<Access>& accesses,
                    const std::vector<LatencySeries>& series) {
  std::string out = fmt::format("{} on {}: latencies of loads, cycles from issue to a reader's\n\n",
                                evaluation.launch->code.kernel->name, evaluation.launch->gpu->name);
  out += fmt::format("{:<8} {:>10} {:>8} {:>9} {:>8} {:>8}  {:<26} {}\n", "address", "accesses",
                     "mean", "deviation", "least", "most", "data from", "instruction");
  for (const Access& access : accesses) {
    std::string levels;
    for (const auto& [level, share] : access.seen.levels) {
      levels +=
          fmt::format("{}{} {} %", levels.empty() ? "" : ", ", level, significant(100 * share, 3));
    }
    out += fmt::format("{:<8} {:>10} {:>8} {:>9} {:>8} {:>8}  {:<26} {}\n", access.address,
                       significant(access.seen.count, 9), significant(access.seen.mean, 4),
                       significant(access.seen.deviation, 3), significant(access.seen.least, 5),
                       significant(access.seen.most, 5), levels, trim(access.text));
  }
  out += '\n' + characterise::plot_as_text(series) + '\n';
  out += fmt::format("{:<44} {:>8} {:>9} {:>8} {:>8} {:>8}\n", "", "mean", "deviation", "5 %",
                     "50 %", "95 %");
  for (const LatencySeries& one : series) {
    out +=
        fmt::format("{:<44} {:>8} {:>9} {:>8} {:>8} {:>8}\n", one.name, significant(one.mean(), 4),
                    significant(one.deviation(), 3), significant(one.quantile(0.05), 5),
                    significant(one.quantile(0.5), 5), significant(one.quantile(0.95), 5));
  }
  return out;
}

std::string as_json(const Evaluation& evaluation, const std::vector<Access>& accesses,
                    const std::vector<LatencySeries>& series) {
  Json json = {{"schema", "forewarp.latencies/1"},
               {"kernel", evaluation.launch->code.kernel->name},
               {"gpu", evaluation.launch->gpu->id},
               {"accesses", Json::array()},
               {"series", Json::array()}};
  for (const Access& access : accesses) {
    Json levels = Json::object();
    for (const auto& [level, share] : access.seen.levels) levels[std::string(level)] = share;
    json["accesses"].push_back({{"address", access.address},
                                {"count", access.seen.count},
                                {"mean", access.seen.mean},
                                {"deviation", access.seen.deviation},
                                {"least", access.seen.least},
                                {"most", access.seen.most},
                                {"levels", levels}});
  }
  for (const LatencySeries& one : series) {
    Json bins = Json::array();
    for (const auto& bin : one.bins) bins.push_back({bin.from, bin.width, bin.share});
    json["series"].push_back(
        {{"name", one.name}, {"mean", one.mean()}, {"deviation", one.deviation()}, {"bins", bins}});
  }
  return json.dump(2) + "\n";
}

Expected<int> show(const Own& own) {
  auto asked = own.options.asked();
  if (!asked) return std::move(asked).error();
  if (own.samples.empty() != own.test.empty()) {
    return Diagnostic{own.samples.empty() ? "--samples" : "--test", "is not given",
                      "--samples DIR and --test ID together", ""};
  }
  asked->options.models = {"sim"};
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const std::string gpu =
      asked->options.gpus.empty() ? asked->request.gpu : asked->options.gpus.front();
  const auto evaluation = predictor.evaluate(asked->request, gpu, asked->options);
  if (!evaluation) return evaluation.error();
  const auto accesses = accesses_of(**evaluation, own.at);
  if (!accesses) return accesses.error();
  std::vector<LatencySeries> series{pooled(*accesses)};
  if (!own.samples.empty()) {
    std::string device;
    const auto measured = of_device(own, device);
    if (!measured) return measured.error();
    series.push_back(characterise::series_of(
        fmt::format("{}, {} {}", device, own.test, measured->config), measured->accesses.pmf));
  }
  const std::string title =
      (*evaluation)->launch->code.kernel->name + " on " + (*evaluation)->launch->gpu->name;
  const std::string text = own.format == "json"  ? as_json(**evaluation, *accesses, series)
                           : own.format == "svg" ? characterise::plot_as_svg(series, title)
                                                 : as_text(**evaluation, *accesses, series);
  if (auto written = deliver(text, asked->delivery.output); !written) return written.error();
  return 0;
}

}  // namespace

Command latencies_command() {
  auto own = std::make_shared<Own>();
  Command command{"latencies",
                  "how long each load takes: simulated, and beside a device's samples"};
  command.flags =
      own->options.flags({"format", "store", "again", "model", "sweep", "cases", "view", "jobs"});
  command.flags.push_back({"--at", &own->at, "only the access at this address, as 0x0080"});
  command.flags.push_back(
      {"--samples", &own->samples, "a folder of forewarp-bench: device.json and samples.tsv"});
  command.flags.push_back({"--test", &own->test, "the test of the samples that has windows"});
  command.flags.push_back(
      {"--where", &own->where, "of its configurations, that with this value: NAME=VALUE"});
  command.flags.push_back(
      {"--format", &own->format, "text, json or svg (the plot)", {"text", "json", "svg"}});
  command.action = [own]() -> Expected<int> { return show(*own); };
  return command;
}

}  // namespace forewarp::cli
