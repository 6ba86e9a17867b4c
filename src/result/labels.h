// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "result/result.h"

namespace forewarp::result {

/// The bound of a resource; null: the result has none.
[[nodiscard]] const Result::Bound* bound_of(const Result& result, std::string_view resource);

/// Its label for people: "DRAM"; the name itself of what is no bound.
[[nodiscard]] std::string resource_label(const Result& result, const std::string& resource);

/// The share of a launch's time from which on what limits explains it.
inline constexpr double explains_time = 0.6;

/// The source line that takes most time, of those that are known; null: none is.
[[nodiscard]] const Result::SourceLine* slowest_line(const Result& result);

/// "12", or "util.h:12" of another file than the input.
[[nodiscard]] std::string place_of(const Result::SourceLine& line, const Result& result);

/// A key of Result::stalls for people: "waiting for device memory" with the bound's own label.
[[nodiscard]] std::string stall_label(const Result& result, const std::string& key);

/// Keys of what vanishes where rates are not limited, and of what vanishes with the latencies.
[[nodiscard]] bool is_bandwidth_stall(const std::string& key);
[[nodiscard]] bool is_latency_stall(const std::string& key);

}  // namespace forewarp::result
