// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "report/documents/report.h"
#include "request/case.h"
#include "request/predict_options.h"

namespace CLI {
class App;
}

namespace forewarp::cli {

/// The options of predict and explain as they were written; the texts are parsed on request, so
/// that every refusal is one line of the same form.
struct PredictionOptions {
  std::string link;
  std::vector<std::string> copies;
  std::string input, kernel, launch, cases, grid, block, clock, timing, sample, format, output;
  std::string toolkit, calibration;
  std::vector<std::string> gpus, models, options, arguments, constants, overrides, sweeps, trips,
      branches, views;
  std::uint32_t dynamic_shared = 0;
  bool has_dynamic_shared = false;
  bool worst_case = false;
  bool cold = false, warm = false, exact = false, analyse_only = false, assume_isa = false,
       quiet = false;
  double budget = 0;
  bool fast = false, no_cache = false;
  std::uint32_t registers = 0;
  std::uint64_t threads = 0;
  unsigned jobs = 0;

  void declare(CLI::App& app);

  /// The one case that the command line (over its launch file) describes.
  [[nodiscard]] Expected<Case> request() const;
  [[nodiscard]] Expected<PredictOptions> choices() const;
};

/// Colour and width of the terminal that standard output is.
[[nodiscard]] TextStyle terminal_style();

/// Standard output, or the file of -o.
Expected<void> deliver(const std::string& text, const std::string& output);

}  // namespace forewarp::cli
