// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::measured {

/// One configuration that ran: words of its parameters, and how long it took.
struct TunedConfiguration {
  std::vector<std::pair<std::string, std::string>> parameters;
  double median_ms = 0;
  double spread = 0;  ///< standard deviation over mean; 0: of one run only
  std::size_t runs = 0;
};

/// What a tuner measured: Kernel Tuner's own cache file, or the results part of the community's
/// schema.
struct TuningResults {
  ValueOrigin origin;
  std::string kernel, device;             ///< empty: not in the file
  std::vector<std::string> problem_size;  ///< expressions
  std::vector<TunedConfiguration> configurations;
  std::size_t failed = 0;  ///< configurations that did not compile, run or compute rightly
  bool cache_file = false;
};

/// Whether the JSON text is one of these two formats, by its keys.
[[nodiscard]] bool looks_like_tuning_results(std::string_view json);

/// Accepts a cache file that is cut off where its tuner was interrupted. Refuses invalid JSON, a
/// configuration without parameters, and an unknown time unit.
Expected<TuningResults> parse_tuning_results(std::string_view json, const std::string& file);

}  // namespace forewarp::measured
