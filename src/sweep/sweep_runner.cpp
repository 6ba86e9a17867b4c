// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_runner.h"

#include <utility>

namespace forewarp::sweep {

TableRow swept_cells(const Sweep& sweep, std::uint64_t point) {
  TableRow row;
  for (std::size_t i = 0; i < sweep.axes().size(); ++i) {
    const SweepAxis& axis = sweep.axes()[i];
    const std::uint64_t index = sweep.index_at(point, i);
    if (axis.numeric()) {
      row.emplace_back(axis.number(index));
    } else {
      row.emplace_back(axis.text(index));
    }
  }
  return row;
}

std::vector<std::string> sweep_columns(const Sweep& sweep,
                                       const std::vector<std::string>& results) {
  std::vector<std::string> columns;
  for (const SweepAxis& axis : sweep.axes()) columns.push_back(axis.name());
  columns.insert(columns.end(), results.begin(), results.end());
  return columns;
}

void run_sweep(const Sweep& sweep, unsigned jobs, const PointFunction& predict,
               const RowSink& sink) {
  std::uint64_t next_point = 0;
  PipelineSteps<std::uint64_t, TableRow> steps;
  steps.next = [&](std::uint64_t& point) {
    if (next_point == sweep.count()) return false;
    point = next_point++;
    return true;
  };
  steps.work = [&](std::uint64_t point, unsigned worker) {
    TableRow row = swept_cells(sweep, point);
    TableRow results = predict(point, worker);
    for (TableCell& cell : results) row.push_back(std::move(cell));
    return row;
  };
  steps.finish = sink;
  // A point takes microseconds: large chunks keep the lock out of the way.
  constexpr std::size_t chunk = 64;
  constexpr std::size_t window = 16;
  OrderedPipeline(std::move(steps), {jobs, chunk, window}).run();
}

ResultsTable sweep_table(const Sweep& sweep, const std::vector<std::string>& results, unsigned jobs,
                         const PointFunction& predict) {
  ResultsTable table{sweep_columns(sweep, results), {}};
  run_sweep(sweep, jobs, predict, [&](TableRow& row) {
    table.rows.push_back(std::move(row));
    return true;
  });
  return table;
}

}  // namespace forewarp::sweep
