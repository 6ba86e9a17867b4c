// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "result/boards/workload_table.h"

namespace forewarp::sweep {

/// Launches that are alike: what they ask, how often, and what they took where that is known.
struct WorkloadLaunch {
  Case request;  ///< without what was measured
  double count = 0;
  /// By GPU as the file names it: launches that were measured there and their time together.
  std::map<std::string, std::pair<double, double>> measured;
};

struct Workload {
  std::string file;
  std::vector<WorkloadLaunch> launches;  ///< in the order in which each came first
  std::vector<std::string> notes;
};

/// A file of cases (JSON lines, `count` of each), or a profiler's export: one launch a row, the
/// code is the defaults' input. Equal launches become one. What a launch leaves open is the
/// defaults'. A line that makes no case is refused: a total without it would be wrong.
Expected<Workload> read_workload(const std::string& file, const Case& defaults);
Expected<Workload> parse_workload(std::string_view text, const std::string& file,
                                  const Case& defaults);

/// The launches as lines of a file of cases, to be completed by hand.
[[nodiscard]] std::string case_lines(const Workload& workload);

struct WorkloadOptions {
  std::vector<std::string> boards;  ///< ids, names or files, each once
  unsigned jobs = 0;                ///< threads; 0: as many as the machine runs at once
  std::function<void(std::size_t done, std::size_t all)> progress = {};  ///< after each launch
};

/// Every launch on every board. What comes out does not depend on the number of threads. Refused: a
/// board that nobody knows; where no board can run anything, the first reason.
Expected<WorkloadTable> predict_workload(Predictor& predictor, const Workload& workload,
                                         const PredictOptions& options,
                                         const WorkloadOptions& boards);

/// Totals, shares and the order of boards and launches, from the cells.
void add_up(WorkloadTable& table);

}  // namespace forewarp::sweep
