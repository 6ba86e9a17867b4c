// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/cases_runner.h"

#include <utility>

#include "base/ordered_pipeline.h"

namespace forewarp::sweep {

CasesSummary run_cases(std::istream& input, const std::filesystem::path& file, unsigned jobs,
                       const CaseFunction& predict, const LineSink& sink) {
  CaseLines lines(input);
  CasesSummary summary;
  PipelineSteps<CaseText, CaseOutput> steps;
  steps.next = [&](CaseText& text) { return lines.next(text); };
  steps.work = [&](const CaseText& text, unsigned worker) {
    return predict(parse_case(text, file), worker);
  };
  steps.finish = [&](CaseOutput& output) {
    ++summary.cases;
    summary.failed += output.failed ? 1U : 0U;
    return sink(output.json);
  };
  // A case may take anything from microseconds to seconds: one at a time balances best.
  constexpr std::size_t chunk = 1;
  constexpr std::size_t window = 32;
  OrderedPipeline(std::move(steps), {jobs, chunk, window}).run();
  return summary;
}

Expected<CasesSummary> run_cases_file(const std::filesystem::path& file, unsigned jobs,
                                      const CaseFunction& predict, const LineSink& sink) {
  auto input = open_cases(file);
  if (!input) return std::move(input).error();
  return run_cases(**input, file, jobs, predict, sink);
}

}  // namespace forewarp::sweep
