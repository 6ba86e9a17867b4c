// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "base/file.h"
#include "command.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "progress.h"
#include "report/documents/board_report.h"
#include "study/boards/board_table.h"

namespace forewarp::cli {
namespace {

struct Options {
  PredictionOptions prediction;
  std::string prices;
};

Expected<BoardOptions> board_options(const Options& options, const Asked& asked,
                                     const HardwareDatabase& database) {
  BoardOptions boards;
  boards.boards = asked.options.gpus;
  if (boards.boards.empty()) boards.boards = database.ids();
  boards.jobs = asked.delivery.jobs;
  const PredictionOptions& given = options.prediction;
  boards.closer_look = given.given("budget") || given.given("model") || given.given("exact");
  if (options.prices.empty()) return boards;
  const auto text = read_file(options.prices);
  if (!text) return text.error();
  auto prices = parse_prices(*text, options.prices);
  if (!prices) return std::move(prices).error();
  boards.prices = *std::move(prices);
  boards.price_file = options.prices;
  return boards;
}

Expected<int> run(const Options& options) {
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  auto boards = board_options(options, *asked, *database);
  if (!boards) return std::move(boards).error();
  Progress progress(progress_wanted(asked->delivery.quiet, asked->delivery.progress));
  boards->progress = [&](std::size_t done, std::size_t all) { progress("gpus", done, all); };
  Predictor predictor(std::move(*database));
  const auto table = predict_boards(predictor, asked->request, asked->options, *boards);
  if (!table) return table.error();
  const Delivery& delivery = asked->delivery;
  const TextStyle style = delivery.output.empty() ? terminal_style() : TextStyle{};
  const auto text = render_boards(*table, delivery.format, style);
  if (!text) return text.error();
  if (auto written = deliver(*text, delivery.output); !written) return written.error();
  return 0;
}

}  // namespace

Command gpus_command() {
  auto options = std::make_shared<Options>();
  PredictionOptions& prediction = options->prediction;
  Command command{
      "gpus", "one launch on every board: time, energy, cost, and which are worth it",
      prediction.flags({"gpu", "cases", "sweep", "store", "again", "view", "wcet", "format"})};
  const auto add = [&](Flag flag) { command.flags.push_back(std::move(flag)); };
  add(prediction.flag("gpu", "these boards (default: all of 'forewarp gpu list')"));
  add(prediction.flag("format", "text (default), markdown, json, csv"));
  add({"--prices", &options->prices, "CSV file: gpu,price_per_hour"});
  command.action = [options] { return run(*options); };
  return command;
}

}  // namespace forewarp::cli
