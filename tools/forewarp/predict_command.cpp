// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "base/file.h"
#include "command.h"
#include "driver/predictor.h"
#include "explain/path_graph.h"
#include "input/source.h"
#include "input/toolkit/content_kind.h"
#include "missing_options.h"
#include "prediction_options.h"
#include "prediction_runs.h"
#include "report/documents/report.h"
#include "report/view.h"
#include "request/options/precedence.h"

namespace forewarp::cli {
namespace {

/// What the report shows, by its format and what its views say that they need.
ResultDetail detail_for(const Delivery& options, bool explain) {
  const bool lines = options.format == "gcc" || options.format == "compiler-explorer";
  const bool full = options.format == "json" || options.format == "html";
  const bool shown = full || options.format.empty() || options.format == "text";
  const bool whole = explain || full || options.format == "jsonl";
  ResultDetail detail = no_detail;
  detail.listing = detail.simulation = explain || full || lines;
  detail.provenance = full;
  detail.curve = shown;
  detail.stalls = whole;
  if (whole) {
    detail.counterfactuals = WhatIfDepth::all;
  } else if (shown || options.format == "markdown") {
    detail.counterfactuals = WhatIfDepth::best;
  }
  for (const std::string& name : options.views) {
    if (const auto view = views().find(name)) detail.add((*view)->needs());
  }
  return detail;
}

/// Where instructions stand, for formats that speak of lines: an input that is a listing itself.
ListingLines lines_of(Predictor& predictor, const Asked& asked) {
  const std::string& format = asked.delivery.format;
  ListingLines lines;
  if (format != "gcc" && format != "compiler-explorer") return lines;
  const auto source = InputSource::open(asked.request.input);
  if (!source || content_kind(source->head()) != ContentKind::other_text) return lines;
  const std::string gpu = gpu_of(asked.request, asked.options).value;
  const auto board = predictor.gpu(gpu, asked.options);
  if (!board) return lines;
  const auto loaded = predictor.kernel(asked.request, **board, asked.options);
  if (!loaded) return lines;
  for (const Instruction& instruction : loaded->kernel->instructions) {
    lines[instruction.address] = instruction.listing_line;
  }
  return lines;
}

/// --store keeps many points; what it would keep of one is its report.
Expected<void> check_store(const Delivery& delivery) {
  if (delivery.store.empty() || !delivery.sweeps.empty() || !delivery.cases.empty()) return {};
  return Diagnostic{"--store", "cannot be combined with one launch", "--sweep or --cases",
                    "-o FILE --format json keeps one result"};
}

/// The execution graph of the first result's lone warp, as the file's name asks: DOT, or a picture.
Expected<void> write_graph(Predictor& predictor, const Asked& asked, const std::string& file) {
  const bool picture = file.ends_with(".svg");
  if (!picture && !file.ends_with(".dot")) {
    return Diagnostic{"--graph " + file, "names no kind of graph", "FILE.dot or FILE.svg", ""};
  }
  const std::string gpu = asked.options.gpus.empty() ? "" : asked.options.gpus.front();
  const auto evaluation = predictor.evaluate(asked.request, gpu, asked.options);
  if (!evaluation) return evaluation.error();
  const Kernel& kernel = *(*evaluation)->launch->code.kernel;
  const PathGraph graph =
      path_graph(kernel, *(*evaluation)->taken().latency, (*evaluation)->bound->kernel->loops());
  const std::string title = kernel.name + " on " + (*evaluation)->launch->gpu->name;
  return write_file(file, picture ? path_svg(graph, title) : path_dot(graph, title));
}

Expected<int> run_prediction(StudyHost& host, const PredictionOptions& given, bool explain,
                             const std::string& graph = {}) {
  auto read = given.asked();
  if (!read) return std::move(read).error();
  const Asked& asked = *read;
  const Delivery& delivery = asked.delivery;
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  if (asked.options.worst_case && !delivery.sweeps.empty()) {
    return Diagnostic{"--wcet", "cannot be combined with --sweep",
                      "a bound of one launch at a time", "--cases gives many"};
  }
  if (auto fine = check_store(delivery); !fine) return fine.error();
  const bool one_gpu = !delivery.cases.empty() || !delivery.sweeps.empty();
  if (one_gpu && asked.options.gpus.size() > 1) {
    return Diagnostic{"--gpu", std::to_string(asked.options.gpus.size()) + " GPUs",
                      "one with --cases and --sweep", "run it once per GPU"};
  }
  if (!delivery.cases.empty()) {
    ResultDetail detail;  // lines for programs: what limits, but no pictures
    detail.counterfactuals = WhatIfDepth::best;
    const auto predict = [&](const Case& request) {
      return predictor.predict_all(request, asked.options, detail).front();
    };
    return delivery.store.empty() ? run_cases(asked, predict) : host.cases(asked, predict);
  }
  if (!delivery.sweeps.empty()) {
    return delivery.store.empty() ? run_sweep(predictor, asked) : host.sweep(predictor, asked);
  }
  if (!graph.empty()) {
    if (auto written = write_graph(predictor, asked, graph); !written) return written.error();
  }
  auto results = predictor.predict_all(asked.request, asked.options, detail_for(delivery, explain));
  return report_results(std::move(results), asked,
                        explain ? ReportKind::explain : ReportKind::predict,
                        lines_of(predictor, asked));
}

Command prediction(StudyHost& host, std::string name, std::string sentence, bool explain) {
  auto options = std::make_shared<PredictionOptions>();
  Command command{std::move(name), std::move(sentence),
                  explain ? options->flags({"store", "again"}) : options->flags()};
  command.lacks = [options] { return missing_options(*options, true); };
  auto graph = std::make_shared<std::string>();
  if (explain) {
    command.flags.push_back({"--graph", graph.get(), "file for the execution graph: .dot, .svg"});
  }
  command.action = [&host, options, explain, graph] {
    return run_prediction(host, *options, explain, *graph);
  };
  return command;
}

}  // namespace

Command predict_command(StudyHost& host) {
  return prediction(host, "predict", "how long a kernel takes, and why", false);
}
Command explain_command(StudyHost& host) {
  return prediction(host, "explain", "the critical path on the annotated listing", true);
}
Command sweep_command(StudyHost& host) {
  auto options = std::make_shared<PredictionOptions>();
  Command command{"sweep", "a launch again and again with other values: predict --sweep",
                  options->flags({"cases", "view", "wcet"})};
  command.action = [&host, options]() -> Expected<int> {
    if (options->given("sweep")) return run_prediction(host, *options, false);
    return Diagnostic{"sweep", "nothing is swept", "--sweep NAME=FROM:TO:STEP or NAME=a,b,c",
                      "--sweep block=32:1024:32"};
  };
  return command;
}

}  // namespace forewarp::cli
