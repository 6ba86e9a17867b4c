// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction_runs.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "driver/point_predictor.h"
#include "report/documents/report.h"
#include "result/result_json.h"
#include "study/cases_runner.h"
#include "study/sweep_runner.h"

namespace forewarp::cli {
namespace {

constexpr std::uint64_t most_full_results =
    20'000;                                   // JSON objects and pages with everything in them
constexpr std::uint64_t most_executed = 256;  // points for which a sweep executes the kernel
constexpr std::size_t flush_bytes = std::size_t{1} << 16U;

/// Lines that go out whole, to the file of -o or to standard output, as soon as one comes
/// `patience` after the last that went: without patience each is there when the process is ended.
class Writer {
 public:
  using Clock = std::chrono::steady_clock;

  Writer(std::string output, Clock::duration patience)
      : output_(std::move(output)), patience_(patience) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (file_ > STDERR_FILENO) ::close(file_);
  }

  bool add(std::string_view line) {
    text_ += line;
    text_ += '\n';
    const bool due = text_.size() >= flush_bytes || Clock::now() - flushed_ >= patience_;
    return !due || flush();
  }
  Expected<void> finish() {
    if (flush()) return {};
    return Diagnostic{output_.empty() ? "standard output" : output_,
                      std::string("cannot be written: ") + std::strerror(error_), "", ""};
  }

 private:
  /// The file begins anew with the first line, not before.
  bool flush() {
    constexpr int flags = O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC;
    if (error_ == 0 && file_ < 0) {
      file_ = output_.empty() ? STDOUT_FILENO : ::open(output_.c_str(), flags, 0666);
      if (file_ < 0) error_ = errno;
    }
    std::string_view rest = text_;
    while (error_ == 0 && !rest.empty()) {
      const ssize_t written = ::write(file_, rest.data(), rest.size());
      if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EINTR) error_ = errno;
    }
    text_.clear();
    flushed_ = Clock::now();
    return error_ == 0;
  }

  std::string output_, text_;
  Clock::duration patience_;
  Clock::time_point flushed_;
  int file_ = -1;
  int error_ = 0;
};

/// The command line's code and kernel stand in for what a line leaves out.
CaseOutput run_case(const Asked& asked, const std::function<Result(const Case&)>& answer,
                    const CaseLine& line) {
  Result result;
  if (line.parsed) {
    Case request = *line.parsed;
    if (request.input.empty()) request.input = asked.request.input;
    if (request.kernel.empty()) request.kernel = asked.request.kernel;
    result = answer(request);
  } else {
    result = failed_result({}, "", line.parsed.error());
    result.id = line.id;
  }
  return {to_json(result, JsonStyle::lean()), result.error.has_value()};
}

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
  return study::run_cases(std::cin, "standard input", jobs, predict, sink);
}

TableRow table_row(const Expected<PointResult>& point) {
  if (!point) {
    TableRow row(PointResult::columns().size());
    row.back() = point.error().line();
    return row;
  }
  return {point->time_ms,
          point->limited_by,
          static_cast<double>(point->blocks_per_sm),
          static_cast<double>(point->warps_per_sm),
          point->needed_warps,
          point->waves,
          point->latency_cycles,
          std::monostate{}};
}

/// What one thread changes from point to point.
struct SweepScratch {
  Case request;
  PredictOptions choices;
  std::unique_ptr<PointPredictor> points;
};

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

Expected<int> sweep_rows(Predictor& predictor, const Sweep& sweep, const Asked& asked) {
  const Delivery& delivery = asked.delivery;
  std::vector<SweepScratch> scratch(thread_count(delivery.jobs));
  for (SweepScratch& own : scratch) {
    own.request = asked.request;
    own.choices = asked.options;
    own.choices.jobs = 1;
    own.points = std::make_unique<PointPredictor>(predictor);
  }
  const std::vector<std::string> columns = sweep_columns(sweep, PointResult::columns());
  const bool executes = asked.options.execute && sweep.count() <= most_executed;
  if (asked.options.execute && !executes) {
    std::fprintf(stderr,
                 "forewarp: more than %llu points: counts follow from the static analysis\n",
                 static_cast<unsigned long long>(most_executed));
  }
  const auto predict = [&](std::uint64_t point, unsigned worker) {
    SweepScratch& own = scratch[worker];
    sweep.apply(point, own.request, own.choices);
    if (executes) return table_row(predict_executed_point(predictor, own.request, own.choices));
    return table_row(own.points->predict(own.request, own.choices, sweep.changes_binding()));
  };
  std::uint64_t failed = 0;
  const auto count = [&](const TableRow& row) {
    if (!std::holds_alternative<std::monostate>(row.back())) ++failed;
  };
  Writer writer(delivery.output, std::chrono::milliseconds(20));
  if (delivery.format.empty() || delivery.format == "text") {
    ResultsTable table;
    table.columns = columns;
    study::run_sweep(sweep, delivery.jobs, predict, [&](TableRow& row) {
      count(row);
      table.rows.push_back(std::move(row));
      return true;
    });
    std::string text = aligned_text(table);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    writer.add(text);
  } else {
    const bool csv = delivery.format == "csv";
    if (csv) writer.add(csv_header(columns));
    study::run_sweep(sweep, delivery.jobs, predict, [&](TableRow& row) {
      count(row);
      return writer.add(csv ? csv_line(row) : json_line(columns, row));
    });
  }
  if (auto written = writer.finish(); !written) return written.error();
  return failed > 0 ? 1 : 0;
}

}  // namespace

Expected<int> report_results(std::vector<Result> results, const Asked& asked, ReportKind kind) {
  const std::string format = asked.delivery.format.empty() ? "text" : asked.delivery.format;
  const bool failed = std::any_of(results.begin(), results.end(),
                                  [](const Result& r) { return r.error.has_value(); });
  if (failed && (format == "text" || format == "number")) {
    for (const Result& result : results) {
      if (result.error) std::fprintf(stderr, "forewarp: %s\n", result.error->c_str());
    }
    std::erase_if(results, [](const Result& r) { return r.error.has_value(); });
    if (results.empty()) return 1;
  }
  const RenderOptions render = render_options(asked);
  const auto text = kind == ReportKind::explain   ? render_explain(results, format, render)
                    : kind == ReportKind::profile ? render_profile(results, format, render)
                                                  : cli::render(results, format, render);
  if (!text) return text.error();
  if (auto written = deliver(*text, asked.delivery.output); !written) return written.error();
  return failed ? 1 : 0;
}

Expected<int> run_cases(const Asked& asked, const std::function<Result(const Case&)>& answer) {
  const Delivery& delivery = asked.delivery;
  if (!delivery.format.empty() && delivery.format != "jsonl") {
    return Diagnostic{"--format " + delivery.format, "stands beside --cases", "jsonl",
                      "every case gives one line of JSON; leave out --format"};
  }
  if (delivery.cases == "-" && asked.request.input == "-") {
    return Diagnostic{"--cases -", "stands beside INPUT -", "one of them on standard input",
                      "name a file for the other"};
  }
  std::error_code ignored;
  if (!delivery.output.empty() &&
      std::filesystem::equivalent(delivery.cases, delivery.output, ignored)) {
    return Diagnostic{"-o " + delivery.output, "is the file of --cases", "another file",
                      "results are written while cases are read"};
  }
  Writer writer(delivery.output, {});
  const auto summary = run_named_cases(
      delivery.cases, delivery.jobs,
      [&](const CaseLine& line, unsigned) { return run_case(asked, answer, line); },
      [&](const std::string& json) { return writer.add(json); });
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
