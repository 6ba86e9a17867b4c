// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "store/database.h"
#include "sweep/results_table.h"

namespace forewarp::store {

/// A run as the store has it.
struct StoredRun {
  std::int64_t id = 0;
  std::string kind, command, tool_version;
  std::vector<std::string> axes;
  std::uint64_t points = 0, kept = 0, failed = 0;  ///< asked for, there, there with an error
  std::string begun, ended;                        ///< UTC; not ended: points are missing
  std::uint64_t processes = 1;
};

/// Which points of a run, in which order; columns are axes or figures.
struct RowQuery {
  std::vector<std::string> where;  ///< COLUMN=V, also != < <= > >=; all of them hold
  std::string order;               ///< COLUMN, or -COLUMN from the largest on; empty: as asked for
  std::uint64_t limit = 0;         ///< 0: all
};

/// A point of two runs that has the same values of the axes in both.
struct PointChange {
  TableRow axes;
  double first_ms = 0, second_ms = 0;
  [[nodiscard]] double factor() const { return second_ms / first_ms; }
};

struct RunDifference {
  std::vector<PointChange> changes;  ///< the largest ones, most changed first
  std::uint64_t equal = 0;           ///< points of both with the same time
  std::uint64_t changed = 0;
  std::uint64_t first_only = 0, second_only = 0;
  std::uint64_t failed = 0;  ///< points of both without a time in one of them
  double mean_factor = 1;    ///< geometric, of the points with two times
};

/// A store that is read while others may write, or where nobody can.
class StoredRuns {
 public:
  /// Fails where there is no such file, or it is no store.
  static Expected<StoredRuns> open(const std::string& file);

  Expected<std::vector<StoredRun>> all();
  /// Refused with the runs that there are.
  Expected<StoredRun> run(std::int64_t id);

  /// Names of code and board, the axes, then point_columns().
  [[nodiscard]] static std::vector<std::string> columns(const StoredRun& run);

  /// The rows in the cells of columns(), one at a time; false ends it. A condition or an order that
  /// names no column is refused with those that there are.
  Expected<void> rows(const StoredRun& run, const RowQuery& query,
                      const std::function<bool(TableRow& row)>& sink);

  /// The text of a point's whole result, where one was kept.
  Expected<std::string> detail(const StoredRun& run, std::uint64_t number);

  /// Refused: runs of other axes. Memory holds `most` changes, whatever the number of points.
  Expected<RunDifference> difference(const StoredRun& first, const StoredRun& second,
                                     std::size_t most);

 private:
  explicit StoredRuns(Database database) : database_(std::move(database)) {}
  Database database_;
};

}  // namespace forewarp::store
