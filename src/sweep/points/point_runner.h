// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::sweep {

/// Numbered points that are computed somewhere and taken by the process that keeps them. What
/// travels in between is bytes that only the job understands.
struct PointJob {
  std::uint64_t count = 0;
  /// The bytes of a point that need not be computed. One call at a time, in the order of the
  /// numbers, each once; empty: nothing is known.
  std::function<std::optional<std::string>(std::uint64_t number)> known;
  /// In any thread, also of another process; `worker` is below PointRunner::workers(). No bytes:
  /// the point was not finished, because the run is being ended.
  std::function<std::string(std::uint64_t number, unsigned worker)> compute;
  /// One call at a time, in any order of the numbers, each once; false ends the run.
  std::function<bool(std::uint64_t number, std::string_view bytes, bool computed)> take;
  std::function<bool()> stop;  ///< true: no further point is begun; empty: all are
  bool everywhere = false;  ///< every process takes every point, not only the one that keeps them
};

/// Where the points of a study are computed: threads of one process, or several processes. What is
/// taken does not depend on it.
class PointRunner {
 public:
  virtual ~PointRunner() = default;

  /// Threads of this process that compute.
  [[nodiscard]] virtual unsigned workers() const = 0;
  /// Whether this is the process that keeps points, prints and is answered.
  [[nodiscard]] virtual bool keeps() const = 0;
  /// Returns when every point was taken or the run was ended. Fails where another process did.
  virtual Expected<void> run(const PointJob& job) = 0;
};

}  // namespace forewarp::sweep
