// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "request/case.h"
#include "request/options/precedence.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// The first stage: what is asked, resolved once. A case and options as they were given, and every
/// value that more than one place may give, with its origin (request/options/precedence.h). Never
/// changed.
struct Query {
  Case request;
  PredictOptions options;

  Given<std::string> gpu;   ///< id, name or path; empty: not given
  Given<std::string> link;  ///< id or name; empty: the host link of the GPU's file
  Given<ClockChoice> clock;
  Given<Timing> timing;
  Given<Repeat> repeat;
  Given<std::optional<double>> overhead_us;  ///< nullopt: the board's, by `timing`
  Given<double> budget_seconds;              ///< of counted work
};

/// `gpu`: wins over the options and the case; empty: they say it.
[[nodiscard]] Query make_query(Case request, PredictOptions options, const std::string& gpu = {});

/// Fills all but `request` and `options` from these; keeps its memory, for many points of a sweep.
void resolve(Query& query);

/// Everything of it that a prediction depends on, as bytes; files by their names.
[[nodiscard]] std::string key_of(const Query& query);

/// The same query at another clock.
[[nodiscard]] Query at_clock(const Query& query, const ClockChoice& clock);

}  // namespace forewarp::prediction
