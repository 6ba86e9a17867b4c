// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "model/transfer/host_copy.h"

namespace forewarp::validation {

/// A timed piece of an application: what its host did one after the other, and how long it took.
struct HostRun {
  std::string id;
  std::vector<HostCopy> copies;
  double kernel_ms = 0;  ///< of its kernels, known or predicted
  double launches = 0, calls = 0;
  double ms = 0;  ///< measured
};

/// A CSV file with the column `ms` and any of `id`, `copies` (h2d:BYTES or d2h:BYTES, each with
/// `:pinned` or `:untouched` if it is not pageable, with blanks between), `kernel_ms`, `launches`
/// and `calls`. Refuses, with the row: another column, a number below 0, a run without a time or
/// without anything that a host does.
Expected<std::vector<HostRun>> parse_host_runs(std::string_view csv, std::string_view file);

}  // namespace forewarp::validation
