// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "hardware/database.h"
#include "request/case.h"

namespace forewarp::measured {

/// One measurement: what ran, and how long it took.
struct MeasuredPoint {
  std::string id;                   ///< unique in its set
  Case request;                     ///< with measured_ms, spread and group
  std::optional<Diagnostic> fault;  ///< why the row makes no case
  std::string apart;                ///< why it is judged apart from the others; empty: it is not
  std::optional<double> registers;  ///< of the measured program: another count is another program
  double reference_ms = 0;          ///< what another predictor says; 0: none
  double baseline_bytes = 0;        ///< that any program must move; 0: as in the profile
  std::map<std::string, double, std::less<>> numbers;  ///< numeric columns: tunables, counters
};

/// Measurements of one file.
struct MeasuredSet {
  std::string name, title, source;
  std::string reference;  ///< whose predictions the points' reference_ms are
  std::vector<MeasuredPoint> points;
  std::vector<std::string> notes;  ///< how the file was read, what was left out
  /// By GPU: numbers that were fitted without this set's rows of that GPU.
  std::map<std::string, std::vector<FactOverride>> left_out;
};

/// What the command line adds to the files.
struct MeasuredOptions {
  std::vector<std::string> data_folders;    ///< where to look for CSV files that are not beside
  std::vector<std::string> source_folders;  ///< where to look for sources that descriptions name
  std::string tuning_problem;               ///< file that describes the tuned kernel and its launch
  bool named_macros_only = false;           ///< leave out macros that a tuned source never names
  Case defaults;                            ///< input, kernel, GPU, launch: for what a file lacks
};

/// Ascending indices of `rows` out of `all`, drawn by `seed`; all of them if there are not more. A
/// larger draw with the same seed includes a smaller one.
[[nodiscard]] std::vector<std::size_t> drawn_rows(std::size_t all, std::size_t rows,
                                                  std::uint64_t seed);

/// Keeps `rows` of the points, drawn by `seed`, in their order; all of them if there are not more.
void draw_rows(MeasuredSet& set, std::size_t rows, std::uint64_t seed);

}  // namespace forewarp::measured
