// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/ordered_pipeline.h"
#include "sweep/results_table.h"
#include "sweep/sweep.h"

namespace forewarp::sweep {

/// Predicts one point and gives the cells behind the swept values. Called from several threads;
/// `worker` (below the number of jobs) lets each keep its own scratch.
using PointFunction = std::function<TableRow(std::uint64_t point, unsigned worker)>;

/// Takes the rows in the order of the points, one at a time; false ends the sweep.
using RowSink = std::function<bool(TableRow& row)>;

/// The swept values of a point: numbers, and words on an axis that has one that is none.
[[nodiscard]] TableRow swept_cells(const Sweep& sweep, std::uint64_t point);

/// The swept names, then `results`.
[[nodiscard]] std::vector<std::string> sweep_columns(const Sweep& sweep,
                                                     const std::vector<std::string>& results);

/// Every point of the sweep once. The rows do not depend on the number of threads, and only a
/// bounded number of them waits at any time.
void run_sweep(const Sweep& sweep, unsigned jobs, const PointFunction& predict,
               const RowSink& sink);

/// The same with all rows kept.
[[nodiscard]] ResultsTable sweep_table(const Sweep& sweep, const std::vector<std::string>& results,
                                       unsigned jobs, const PointFunction& predict);

}  // namespace forewarp::sweep
