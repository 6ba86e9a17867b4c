// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <string>

#include "base/expected.h"
#include "request/files/case_file.h"

namespace forewarp::sweep {

/// The output of one case: a line of JSON without line end.
struct CaseOutput {
  std::string json;
  bool failed = false;  ///< the line has an `error`
};

struct CasesSummary {
  std::uint64_t cases = 0;
  std::uint64_t failed = 0;
};

/// Predicts a case, or turns the diagnostic of a bad line into a result with `error`. Called from
/// several threads; `worker` is below the number of jobs.
using CaseFunction = std::function<CaseOutput(const CaseLine& line, unsigned worker)>;

/// Takes the lines in the order of the file, one at a time; false ends the run.
using LineSink = std::function<bool(const std::string& json)>;

/// Writes one line per line of input that is not blank, in the same order, whatever the number of
/// threads (0: one per hardware thread). Memory is bounded by a window of lines. `file` is the
/// input's name in messages, and paths of the cases are relative to its folder.
CasesSummary run_cases(std::istream& input, const std::filesystem::path& file, unsigned jobs,
                       const CaseFunction& predict, const LineSink& sink);

/// The same for a file; fails if it cannot be read.
Expected<CasesSummary> run_cases_file(const std::filesystem::path& file, unsigned jobs,
                                      const CaseFunction& predict, const LineSink& sink);

}  // namespace forewarp::sweep
