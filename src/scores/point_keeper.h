// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "request/case.h"
#include "result/validation.h"
#include "sweep/results_table.h"

namespace forewarp::scores {

/// What tells the points of a run apart for a reader: names, and a cell under each for every point.
struct PointAxes {
  std::vector<std::string> names;
  std::function<TableRow(std::size_t index)> values;
};

/// Keeps finished points and gives them back, so that a run that was ended goes on where it was.
/// One call at a time.
class PointKeeper {
 public:
  virtual ~PointKeeper() = default;

  /// So many points are asked for from now on; they come after those of an earlier call.
  virtual Expected<void> begin(std::size_t points, const PointAxes& axes) = 0;
  /// The point that was finished under this key.
  virtual std::optional<ScoredPoint> find(std::size_t index, const std::string& key) = 0;
  /// Also one with an error. False: nothing more is taken; failure() says why.
  virtual bool add(std::size_t index, const std::string& key, const Case& request,
                   const ScoredPoint& point) = 0;
  [[nodiscard]] virtual Diagnostic failure() const = 0;
  /// All points were asked for, or the run was ended: what was added is kept.
  virtual Expected<void> finish() = 0;
};

}  // namespace forewarp::scores
