// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "command.h"
#include "comparison/advice/advise.h"
#include "driver/predictor.h"
#include "missing_options.h"
#include "prediction_options.h"
#include "report/documents/advice_report.h"
#include "request/options/precedence.h"

namespace forewarp::cli {
namespace {

struct Options {
  PredictionOptions prediction;
  bool list = false;
};

Expected<int> run(const Options& options) {
  const auto asked = options.prediction.asked();
  if (!asked) return asked.error();
  if (asked->options.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(asked->options.gpus.size()) + " boards are given",
                      "one: edits that help differ from board to board", ""};
  }
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const std::string gpu = gpu_of(asked->request, asked->options).value;
  const Delivery& delivery = asked->delivery;
  const auto advice = advise(predictor, asked->request, gpu, asked->options, delivery.jobs);
  if (!advice) return advice.error();
  const TextStyle style = delivery.output.empty() ? terminal_style() : TextStyle{};
  const auto text = render_advice(*advice, delivery.format, options.list, style);
  if (!text) return text.error();
  if (auto written = deliver(*text, delivery.output); !written) return written.error();
  return 0;
}

}  // namespace

Command advise_command() {
  auto options = std::make_shared<Options>();
  PredictionOptions& prediction = options->prediction;
  Command command{"advise", "which edit helps: line, predicted gain, and why",
                  prediction.flags({"gpu", "cases", "sweep", "view", "wcet", "static", "format"})};
  const auto add = [&](Flag flag) { command.flags.push_back(std::move(flag)); };
  add(prediction.flag("gpu", "the board: an id, a name or a file"));
  add(prediction.flag("format", "text (default), markdown, json, csv"));
  add({"--list", &options->list, "also the edits that were tried and do not gain"});
  command.lacks = [options] { return missing_options(options->prediction, true); };
  command.action = [options] { return run(*options); };
  return command;
}

}  // namespace forewarp::cli
