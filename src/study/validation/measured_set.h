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

namespace forewarp::study {

/// One measurement: what ran, and what it took.
struct MeasuredPoint {
  std::string id;                   ///< unique in its set
  Case request;                     ///< with measured_ms, spread and group
  std::optional<Diagnostic> fault;  ///< the row makes no case
  std::string apart;                ///< why it is not judged with the others; empty: it is
  std::optional<double> registers;  ///< of the measured program: another count is another program
  double reference_ms = 0;          ///< what another predicted; 0: nobody did
  double baseline_bytes = 0;        ///< that any program must move; 0: as the profile says
  std::map<std::string, double, std::less<>> numbers;  ///< columns: tunables, counters
};

/// Measurements that belong together, from one file.
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
  std::vector<std::string> data_folders;    ///< where CSV files lie that are not beside
  std::vector<std::string> source_folders;  ///< where sources lie that descriptions name
  std::string tuning_problem;               ///< file that describes what a tuner tuned
  bool named_macros_only = false;           ///< leave out macros that a tuned source never names
  Case defaults;                            ///< input, kernel, GPU, launch: for what a file lacks
};

/// Places of `rows` of so many, drawn by `seed`, in their order; all where there are not more. A
/// larger draw by the same seed holds the smaller one.
[[nodiscard]] std::vector<std::size_t> drawn_rows(std::size_t all, std::size_t rows,
                                                  std::uint64_t seed);

/// `rows` of the points, drawn by `seed` and kept in their order; all where there are not more.
void draw_rows(MeasuredSet& set, std::size_t rows, std::uint64_t seed);

}  // namespace forewarp::study
