// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "bench_device.h"
#include "bench_test.h"

namespace forewarp::cli {

/// What a run of the suite is asked for.
struct SuiteOptions {
  std::filesystem::path folder;     ///< of device.json and samples.tsv; made where it is missing
  bool resume = false;              ///< only what the same device left is gone on with
  double budget_seconds = 0;        ///< no record begins later; 0: all are taken
  std::string alteration;           ///< text of altered.json; empty: none
  std::string date;                 ///< for device.json: 2025-01-31
  std::function<double()> seconds;  ///< a clock
  std::function<void(const std::string&)> tell;  ///< one line for people, such as what was left out
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< may be empty
};

struct SuiteSummary {
  std::size_t recorded = 0, known = 0, refused = 0, left = 0;
};

/// Measures every launch of the tests that the device's architecture is for. A launch that cannot
/// be measured is told and left out; a file that cannot be written ends the run.
Expected<SuiteSummary> run_suite(const std::vector<BenchTest>& tests, BenchDevice& device,
                                 const SuiteOptions& order);

/// Reads 8m, 90s, 1h or plain seconds.
Expected<double> parse_budget(std::string_view text);

}  // namespace forewarp::cli
