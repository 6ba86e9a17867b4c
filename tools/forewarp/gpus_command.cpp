// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/file.h"
#include "command.h"
#include "comparison/boards/board_table.h"
#include "driver/predictor.h"
#include "missing_options.h"
#include "prediction_options.h"
#include "progress.h"
#include "report/documents/board_report.h"
#include "report/documents/workload_report.h"
#include "sweep/workload/workload.h"

namespace forewarp::cli {
namespace {

struct Options {
  PredictionOptions prediction;
  std::string prices;
  bool as_cases = false;
};

TextStyle style_of(const Delivery& delivery) {
  return delivery.output.empty() ? terminal_style() : TextStyle{};
}

Expected<int> delivered(const std::string& text, const Delivery& delivery) {
  const auto written = deliver(text, delivery.output);
  return written ? Expected<int>(0) : written.error();
}

/// A name that several boards have stands for all of them; none: every board there is.
Expected<std::vector<std::string>> boards_of(const std::vector<std::string>& names,
                                             const HardwareDatabase& database) {
  if (names.empty()) return database.ids();
  std::vector<std::string> boards;
  for (const std::string& name : names) {
    auto family = database.family(name);
    if (!family) return family;
    for (std::string& id : *family) {
      if (std::ranges::find(boards, id) == boards.end()) boards.push_back(std::move(id));
    }
  }
  return boards;
}

Expected<BoardOptions> board_options(const Options& options, const Asked& asked,
                                     const HardwareDatabase& database) {
  BoardOptions boards;
  auto names = boards_of(asked.options.gpus, database);
  if (!names) return std::move(names).error();
  boards.boards = *std::move(names);
  boards.jobs = asked.delivery.jobs;
  const PredictionOptions& given = options.prediction;
  const auto is_given = [&](std::string_view name) { return given.given(name); };
  constexpr std::string_view closer[] = {"budget", "model", "exact", "sample"};
  boards.closer_look = std::ranges::any_of(closer, is_given);
  if (options.prices.empty()) return boards;
  const auto text = read_file(options.prices);
  if (!text) return text.error();
  auto prices = parse_prices(*text, options.prices);
  if (!prices) return std::move(prices).error();
  boards.prices = *std::move(prices);
  boards.price_file = options.prices;
  return boards;
}

Expected<int> one_launch(const Options& options, const Asked& asked, HardwareDatabase database) {
  auto boards = board_options(options, asked, database);
  if (!boards) return std::move(boards).error();
  Progress progress(progress_wanted(asked.delivery.quiet, asked.delivery.progress));
  boards->progress = [&](std::size_t done, std::size_t all) { progress("gpus", done, all); };
  Predictor predictor(std::move(database));
  const auto table = predict_boards(predictor, asked.request, asked.options, *boards);
  if (!table) return table.error();
  const auto text = render_boards(*table, asked.delivery.format, style_of(asked.delivery));
  return text ? delivered(*text, asked.delivery) : text.error();
}

/// What describes one launch is the cases' own; code, kernel and how times are meant may stand
/// beside.
Expected<int> many_launches(const Options& options, const Asked& asked, HardwareDatabase database) {
  if (!options.prices.empty()) {
    return Diagnostic{"--prices", "cannot be combined with --cases", "one launch",
                      "costs of a workload: its total times the price"};
  }
  const Delivery& delivery = asked.delivery;
  const auto workload = read_workload(delivery.cases, asked.request);
  if (!workload) return workload.error();
  if (options.as_cases) return delivered(case_lines(*workload), delivery);
  Progress progress(progress_wanted(delivery.quiet, delivery.progress));
  auto names = boards_of(asked.options.gpus, database);
  if (!names) return std::move(names).error();
  WorkloadOptions boards{*std::move(names), delivery.jobs, {}};
  boards.progress = [&](std::size_t done, std::size_t all) { progress("gpus", done, all); };
  Predictor predictor(std::move(database));
  const auto table = predict_workload(predictor, *workload, asked.options, boards);
  if (!table) return table.error();
  const auto text = render_workload(*table, delivery.format, style_of(delivery));
  if (!text) return text.error();
  const bool refused = std::ranges::any_of(
      table->boards, [](const WorkloadTable::Board& board) { return board.refused > 0; });
  const auto written = delivered(*text, delivery);
  return written && refused ? Expected<int>(1) : written;
}

Expected<int> run(const Options& options) {
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  if (asked->delivery.cases.empty() && options.as_cases) {
    return Diagnostic{"--as-cases", "stands without --cases", "a file of launches", "--cases FILE"};
  }
  return asked->delivery.cases.empty() ? one_launch(options, *asked, *std::move(database))
                                       : many_launches(options, *asked, *std::move(database));
}

}  // namespace

Command gpus_command() {
  auto options = std::make_shared<Options>();
  PredictionOptions& prediction = options->prediction;
  Command command{
      "gpus", "one launch, or a workload, on every board: time, energy, cost",
      prediction.flags({"gpu", "cases", "sweep", "store", "again", "view", "wcet", "format"})};
  const auto add = [&](Flag flag) { command.flags.push_back(std::move(flag)); };
  add(prediction.flag("gpu",
                      "these boards, all those of a name (default: all of 'forewarp gpu list')"));
  add(prediction.flag("format", "text (default), markdown, json, csv"));
  add(prediction.flag("cases",
                      "a workload instead: cases with their counts, or a profiler's trace (CSV)"));
  add({"--as-cases", &options->as_cases, "print the workload as cases, to be completed"});
  add({"--prices", &options->prices, "CSV file: gpu,price_per_hour"});
  command.lacks = [options] { return missing_options(options->prediction, false); };
  command.action = [options] { return run(*options); };
  return command;
}

}  // namespace forewarp::cli
