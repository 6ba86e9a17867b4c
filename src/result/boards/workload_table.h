// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// Many launches on several boards: kernels by boards (docs/gpus.md). Times are milliseconds.
struct WorkloadTable {
  struct Board {
    std::string id, name;
    double total_ms = 0;                  ///< of every launch, one after the other
    std::array<double, 2> interval_ms{};  ///< all errors taken to point the same way
    double refused = 0;                   ///< launches that it cannot run or nobody can predict
    std::optional<double> measured_ms;    ///< where every launch was measured on this board
  };
  /// One launch on one board.
  struct Cell {
    std::optional<Diagnostic> error;
    double time_ms = 0;  ///< of one launch
    std::array<double, 2> interval_ms{};
    double share = 0;  ///< of the board's total, all launches of this one together
    std::string limited_by, limit_label, model;
    double limit_share = 0;
    std::optional<double> measured_ms;  ///< mean of one launch, measured on this board
  };
  /// Launches that are alike.
  struct Launch {
    std::string id, kernel, input;
    std::array<std::uint32_t, 3> grid{}, block{};
    double count = 0;
    std::vector<Cell> cells;  ///< by board
  };
  std::string file;
  std::vector<Board> boards;     ///< least total first; those that refuse launches last
  std::vector<Launch> launches;  ///< most time on the first board first
  std::vector<std::string> notes;
};

/// One JSON object, schema "forewarp.workload/1", ending in a newline.
[[nodiscard]] std::string to_json(const WorkloadTable& table);

}  // namespace forewarp::result
