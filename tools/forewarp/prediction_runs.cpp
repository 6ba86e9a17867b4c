// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction_runs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/point_predictor.h"
#include "line_writer.h"
#include "progress.h"
#include "report/documents/report.h"
#include "result/result_json.h"
#include "sweep/cases_runner.h"
#include "sweep/points/sweep_points.h"
#include "sweep/sweep_runner.h"

namespace forewarp::cli {
namespace {

constexpr std::uint64_t most_full_results =
    20'000;  // JSON objects and pages with everything in them

RenderOptions render_options(const Asked& asked) {
  RenderOptions render;
  if (asked.delivery.output.empty()) render.style = terminal_style();
  render.views = asked.delivery.views;
  if (asked.options.worst_case && render.views.empty())
    render.views = {"summary", "wcet", "assumptions"};
  return render;
}

/// "-" is standard input; paths in its cases then start at the working directory.
Expected<CasesSummary> run_named_cases(const std::string& file, unsigned jobs,
                                       const CaseFunction& predict, const LineSink& sink) {
  if (file != "-") return run_cases_file(file, jobs, predict, sink);
  return sweep::run_cases(std::cin, "standard input", jobs, predict, sink);
}

/// The points as full results, for formats that show more than a table.
Expected<int> sweep_results(Predictor& predictor, const Sweep& sweep, const Asked& asked) {
  if (sweep.count() > most_full_results) {
    return Diagnostic{"--sweep", std::to_string(sweep.count()) + " points",
                      "at most " + std::to_string(most_full_results) + " in this format",
                      "use --format csv or jsonl"};
  }
  std::vector<Result> results;
  Case changed = asked.request;
  PredictOptions own = asked.options;
  for (std::uint64_t point = 0; point < sweep.count(); ++point) {
    sweep.apply(point, changed, own);
    results.push_back(predictor.predict_all(changed, own, {}).front());
  }
  RenderOptions render_options;
  render_options.style = terminal_style();
  const auto text = render(results, asked.delivery.format, render_options);
  if (!text) return text.error();
  if (auto written = deliver(*text, asked.delivery.output); !written) return written.error();
  return std::any_of(results.begin(), results.end(), [](const Result& r) { return r.error; }) ? 1
                                                                                              : 0;
}

/// An error that differs from one above by numbers alone is told once.
void fold_errors(ResultsTable& table) {
  std::set<std::string> told;
  for (TableRow& row : table.rows) {
    auto* error = std::get_if<std::string>(&row.back());
    if (error == nullptr) continue;
    std::string key = *error;
    std::erase_if(key, [](char c) { return c >= '0' && c <= '9'; });
    if (!told.insert(std::move(key)).second) *error = "as above";
  }
}

Expected<int> sweep_rows(Predictor& predictor, const Sweep& sweep, const Asked& asked) {
  const Delivery& delivery = asked.delivery;
  SweepPoints points(predictor, sweep, asked.request, asked.options, thread_count(delivery.jobs));
  tell_static(asked.options, points);
  const std::vector<std::string> columns = sweep_columns(sweep, PointResult::columns());
  const auto predict = [&](std::uint64_t point, unsigned worker) {
    return points.predict(point, worker);
  };
  Progress progress(progress_wanted(delivery.quiet, delivery.progress));
  std::uint64_t failed = 0, done = 0;
  const auto count = [&](const TableRow& row) {
    progress("sweep", ++done, sweep.count());
    if (!std::holds_alternative<std::monostate>(row.back())) ++failed;
  };
  LineWriter writer(delivery.output, std::chrono::milliseconds(20));
  if (delivery.format.empty() || delivery.format == "text") {
    ResultsTable table;
    table.columns = columns;
    sweep::run_sweep(sweep, delivery.jobs, predict, [&](TableRow& row) {
      count(row);
      table.rows.push_back(std::move(row));
      return true;
    });
    fold_errors(table);
    std::string text = aligned_text(table);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    writer.add(text);
  } else {
    const bool csv = delivery.format == "csv";
    if (csv) writer.add(csv_header(columns));
    sweep::run_sweep(sweep, delivery.jobs, predict, [&](TableRow& row) {
      count(row);
      return writer.add(csv ? csv_line(row) : json_line(columns, row));
    });
  }
  if (auto written = writer.finish(); !written) return written.error();
  return failed > 0 ? 1 : 0;
}

}  // namespace

void tell_static(const PredictOptions& options, const SweepPoints& points) {
  if (!options.execute || points.executes()) return;
  std::fprintf(stderr, "forewarp: more than %llu points: counts follow from the static analysis\n",
               static_cast<unsigned long long>(SweepPoints::most_executed));
}

Expected<int> report_results(std::vector<Result> results, const Asked& asked, ReportKind kind,
                             ListingLines lines) {
  const std::string format = asked.delivery.format.empty() ? "text" : asked.delivery.format;
  const bool failed = std::any_of(results.begin(), results.end(),
                                  [](const Result& r) { return r.error.has_value(); });
  if (failed && (format == "text" || format == "number")) {
    if (results.size() == 1) return *results.front().error;
    for (const Result& result : results) {
      if (result.error) std::fprintf(stderr, "forewarp: %s\n", result.error->line().c_str());
    }
    std::erase_if(results, [](const Result& r) { return r.error.has_value(); });
    if (results.empty()) return 1;
  }
  RenderOptions render = render_options(asked);
  render.lines = std::move(lines);
  const auto text = kind == ReportKind::explain   ? render_explain(results, format, render)
                    : kind == ReportKind::profile ? render_profile(results, format, render)
                                                  : cli::render(results, format, render);
  if (!text) return text.error();
  if (auto written = deliver(*text, asked.delivery.output); !written) return written.error();
  return failed ? 1 : 0;
}

Case filled_case(const Asked& asked, Case request) {
  if (request.input.empty()) request.input = asked.request.input;
  if (request.kernel.empty()) request.kernel = asked.request.kernel;
  return request;
}

CaseOutput case_output(const Asked& asked, const std::function<Result(const Case&)>& answer,
                       const CaseLine& line) {
  Result result;
  if (line.parsed) {
    result = answer(filled_case(asked, *line.parsed));
  } else {
    result = failed_result({}, "", line.parsed.error());
    result.id = line.id;
  }
  return {to_json(result, JsonStyle::lean()), result.error.has_value()};
}

Expected<void> check_cases(const Asked& asked) {
  const Delivery& delivery = asked.delivery;
  if (!delivery.format.empty() && delivery.format != "jsonl") {
    return Diagnostic{"--format " + delivery.format, "cannot be combined with --cases", "jsonl",
                      "every case gives one line of JSON; leave out --format"};
  }
  if (delivery.cases == "-" && asked.request.input == "-") {
    return Diagnostic{"--cases -", "cannot be combined with INPUT -",
                      "one of them on standard input", "name a file for the other"};
  }
  std::error_code ignored;
  if (!delivery.output.empty() &&
      std::filesystem::equivalent(delivery.cases, delivery.output, ignored)) {
    return Diagnostic{"-o " + delivery.output, "is the file of --cases", "another file",
                      "results are written while cases are read"};
  }
  return {};
}

Expected<int> run_cases(const Asked& asked, const std::function<Result(const Case&)>& answer) {
  if (auto fine = check_cases(asked); !fine) return fine.error();
  const Delivery& delivery = asked.delivery;
  LineWriter writer(delivery.output, {});
  Progress progress(progress_wanted(delivery.quiet, delivery.progress));
  std::size_t done = 0;
  const auto summary = run_named_cases(
      delivery.cases, delivery.jobs,
      [&](const CaseLine& line, unsigned) { return case_output(asked, answer, line); },
      [&](const std::string& json) {
        progress("cases", ++done, 0);
        return writer.add(json);
      });
  if (!summary) return summary.error();
  if (auto written = writer.finish(); !written) return written.error();
  return summary->failed > 0 ? 1 : 0;
}

Expected<int> run_sweep(Predictor& predictor, const Asked& asked) {
  auto sweep = Sweep::parse(asked.delivery.sweeps);
  if (!sweep) return std::move(sweep).error();
  if (auto ok = sweep->check(asked.options); !ok) return ok.error();
  const std::string& format = asked.delivery.format;
  const bool rows = format.empty() || format == "text" || format == "csv" || format == "jsonl";
  return rows ? sweep_rows(predictor, *sweep, asked) : sweep_results(predictor, *sweep, asked);
}

}  // namespace forewarp::cli
