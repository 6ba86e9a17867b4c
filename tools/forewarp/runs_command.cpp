// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "input/source.h"
#include "measured/runs/run_text.h"
#include "prediction_options.h"

namespace forewarp::cli {
namespace {

struct RunsOptions {
  std::string file, column, bound, gap, format, output;
  unsigned bins = 10;
};

Expected<std::optional<double>> number_of(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<double>();
  const auto value = parse_number(text);
  if (!value || !(*value >= 0)) {
    return Diagnostic{option, "'" + text + "'", "a number from 0 on, in the unit of the runs", ""};
  }
  return std::optional<double>(*value);
}

Expected<int> show_runs(const RunsOptions& options) {
  if (!options.format.empty() && options.format != "text" && options.format != "json") {
    return Diagnostic{"--format " + options.format, "is not a format of runs", "text, json", ""};
  }
  constexpr unsigned most_bins = 1000;
  if (options.bins == 0 || options.bins > most_bins) {
    return Diagnostic{"--bins", std::to_string(options.bins), "1 to 1000", ""};
  }
  RunOptions choices;
  choices.bins = options.bins;
  auto bound = number_of("--bound", options.bound);
  if (!bound) return std::move(bound).error();
  choices.bound = *bound;
  auto gap = number_of("--gap", options.gap);
  if (!gap) return std::move(gap).error();
  choices.gap = *gap;
  const auto source = InputSource::open(options.file);
  if (!source) return source.error();
  auto runs = runs_in_column(source->bytes(), options.file, options.column);
  if (!runs) return std::move(runs).error();
  const RunStatistics statistics = run_statistics(std::move(*runs), choices);
  const std::string text = options.format == "json" ? run_json(statistics) : run_text(statistics);
  if (auto written = deliver(text, options.output); !written) return written.error();
  return 0;
}

}  // namespace

Command runs_command() {
  auto options = std::make_shared<RunsOptions>();
  Command command{"runs", "many runs of one thing: extremes, clusters, coverage of a bound"};
  command.flags = {
      {.names = "FILE",
       .target = &options->file,
       .help = "CSV file with a run per row; - is standard input",
       .required = true},
      {"--column", &options->column, "default: the only one, or time_ms"},
      {"--bound", &options->bound, "a predicted value: how many runs it covers"},
      {"--gap", &options->gap, "larger steps part clusters; default: 1 % of the median"},
      {"--bins", &options->bins, "of the histogram (10)"},
      {"--format", &options->format, "text (default), json"},
      {"-o,--output", &options->output, "file instead of standard output"}};
  command.action = [options] { return show_runs(*options); };
  return command;
}

}  // namespace forewarp::cli
