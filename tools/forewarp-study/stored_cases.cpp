// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "stored_cases.h"

#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/predictor.h"
#include "forewarp/line_writer.h"
#include "forewarp/prediction_runs.h"
#include "forewarp/progress.h"
#include "forewarp/signals.h"
#include "kept_points.h"
#include "request/files/case_file.h"
#include "request/options/precedence.h"
#include "request/tables/calibration_file.h"
#include "result/result_json.h"
#include "store/figures.h"
#include "sweep/points/point_key.h"

namespace forewarp::cli {
namespace {

Expected<std::vector<CaseText>> read_lines(const std::string& file) {
  std::unique_ptr<std::istream> opened;
  if (file != "-") {
    auto input = open_cases(file);
    if (!input) return std::move(input).error();
    opened = *std::move(input);
  }
  CaseLines lines(opened ? *opened : std::cin);
  std::vector<CaseText> texts;
  for (CaseText text; lines.next(text);) texts.push_back(text);
  return texts;
}

/// Lines of points that come in any order, out in the order of their numbers.
class OrderedLines {
 public:
  explicit OrderedLines(LineWriter& writer) : writer_(writer) {}
  bool add(std::uint64_t number, std::string line) {
    waiting_[number] = std::move(line);
    bool taken = true;
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
         first = waiting_.erase(first)) {
      taken = writer_.add(first->second);
      ++next_;
    }
    return taken;
  }

 private:
  LineWriter& writer_;
  std::map<std::uint64_t, std::string> waiting_;
  std::uint64_t next_ = 0;
};

class CasesIntoStore {
 public:
  CasesIntoStore(const Asked& asked, const RunStart& start, const std::vector<CaseText>& lines)
      : asked_(asked), prefix_(start.program), lines_(lines) {
    if (asked.options.calibration) prefix_ += calibration_text(*asked.options.calibration);
  }

  [[nodiscard]] CaseLine line(std::uint64_t number) const {
    const std::string& file = asked_.delivery.cases;
    return parse_case(lines_[number], file == "-" ? "standard input" : file);
  }

  /// Size and time of change stand for the content of the files; empty: the line is no case.
  [[nodiscard]] std::string key_of(const CaseLine& line) const {
    if (!line.parsed) return {};
    const Case request = filled_case(asked_, *line.parsed);
    const std::string gpu = gpu_of(request, asked_.options).value;
    return PointKeys(prefix_ + '\n' + file_key(request.input) + '\n' + file_key(gpu), request,
                     asked_.options, {})
        .key(request, asked_.options);
  }

 private:
  const Asked& asked_;
  std::string prefix_;
  const std::vector<CaseText>& lines_;
};

Subject subject_of(const Result& result) {
  return {result.kernel.sha256, result.kernel.input, result.kernel.name, result.gpu.file,
          result.gpu.id};
}

}  // namespace

Expected<int> stored_cases(const Asked& asked, const RunStart& begun,
                           const std::function<Result(const Case&)>& answer, PointRunner& runner) {
  if (auto fine = check_cases(asked); !fine) return fine.error();
  if (asked.delivery.cases == "-" && begun.processes > 1) {
    return Diagnostic{"--cases -", "is read by one process of " + std::to_string(begun.processes),
                      "a file that all of them can read", ""};
  }
  const auto lines = read_lines(asked.delivery.cases);
  if (!lines) return lines.error();
  const CasesIntoStore cases(asked, begun, *lines);
  PointJob job;
  job.count = lines->size();
  job.compute = [&](std::uint64_t number, unsigned) {
    return case_output(asked, answer, cases.line(number)).json;
  };
  if (!runner.keeps()) {
    if (auto ran = runner.run(job); !ran) return ran.error();
    return 0;
  }
  RunStart start = begun;
  start.points = job.count;
  start.axes = {"id"};
  auto writer = RunWriter::begin(asked.delivery.store, start);
  if (!writer) return std::move(writer).error();
  LineWriter out(asked.delivery.output, {});
  OrderedLines ordered(out);
  Progress progress(progress_wanted(asked.delivery.quiet, asked.delivery.progress));
  std::size_t done = 0;
  job.known = [&](std::uint64_t number) -> std::optional<std::string> {
    const CaseLine line = cases.line(number);
    const std::string key = cases.key_of(line);
    if (key.empty()) return {};
    const auto text = (*writer)->adopt_detail(number, key, {line.id});
    if (!text) return {};
    auto result = from_json(*text);
    if (!result) return {};
    result->id = line.id;  // the same case may stand there under another one
    return to_json(*result, JsonStyle::lean());
  };
  job.take = [&](std::uint64_t number, std::string_view bytes, bool computed) {
    progress("cases", ++done, job.count);
    if (!ordered.add(number, std::string(bytes))) return false;
    if (!computed) return true;
    const auto result = from_json(bytes);
    if (!result) return true;
    const CaseLine line = cases.line(number);
    std::string key = cases.key_of(line);
    // A line that is no case is a point of its own.
    if (key.empty()) key = begun.key + '/' + std::to_string(number);
    return (*writer)->add(number, key, {line.id}, figures_of(*result), subject_of(*result), bytes);
  };
  stop_at_interrupt();
  job.stop = [] { return interrupted(); };
  if (auto ran = runner.run(job); !ran) return ran.error();
  if (auto written = out.finish(); !written) return written.error();
  if (auto kept = (*writer)->finish(); !kept) return kept.error();
  return tell_kept(**writer, asked.delivery, job.count);
}

}  // namespace forewarp::cli
