// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "request/case.h"
#include "request/predict_options.h"

namespace forewarp::request {

/// Where a value came from.
enum class Origin : std::uint8_t {
  fallback,      ///< nobody gave it: the default, of the board where it has one
  file,          ///< a case or a launch file
  harness,       ///< the case, of the harness that timed it
  command_line,  ///< an option, or its key in a request
};

[[nodiscard]] std::string_view origin_name(Origin origin);

/// A value with its origin.
template <class T>
struct Given {
  T value{};
  Origin origin = Origin::fallback;
  bool operator==(const Given&) const = default;
};

/// A value that more than one place may give, and who wins.
struct Precedence {
  std::string_view value;          ///< name of the option or key
  std::array<Origin, 3> wins{};    ///< the strongest first; `fallback` ends the row
  std::string_view fallback_text;  ///< what holds if nobody gives it
};

/// The only place that says who wins.
[[nodiscard]] std::span<const Precedence> precedence();

[[nodiscard]] Given<std::string> gpu_of(const Case& request, const PredictOptions& options);
[[nodiscard]] Given<std::string> link_of(const Case& request, const PredictOptions& options);
[[nodiscard]] Given<ClockChoice> clock_of(const Case& request, const PredictOptions& options);
[[nodiscard]] Given<Timing> timing_of(const Case& request, const PredictOptions& options);
[[nodiscard]] Given<Repeat> repeat_of(const Case& request, const PredictOptions& options);
/// What timing adds, in microseconds; nullopt: what the board's file says of `timing`.
[[nodiscard]] Given<std::optional<double>> overhead_of(const Case& request,
                                                       const PredictOptions& options);
/// Seconds of counted work.
[[nodiscard]] Given<double> budget_of(const PredictOptions& options);

}  // namespace forewarp::request
