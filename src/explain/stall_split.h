// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "model/simulated_time.h"
#include "prediction/evaluation.h"

namespace forewarp::explain {

/// What a part of a launch's time vanishes with: without limits of rates, without latencies too, or
/// with neither (issuing, starting blocks, the last wave).
enum class StallKind : std::uint8_t { bandwidth, latency, rest };

/// One part of the time, as shares of it.
struct StallPart {
  std::string_view name, label;
  StallKind kind = StallKind::rest;
  double simulated = 0;  ///< by simulations without it
  double closed = 0;     ///< by the closed form without it
  std::string why;       ///< why they differ; empty: they hardly do
};

/// Latency stalls apart from bandwidth stalls (Burger, Goodman and Kagi, ISCA 1996; Volkov 2016,
/// 3.9), by the simulated SM and by a closed form. Both take the same parts away in the same order
/// and look at what time is left; shares of each side add up to 1.
struct StallSplit {
  std::string closed_model;
  double simulated_cycles = 0, closed_ms = 0;
  std::vector<StallPart> parts;

  [[nodiscard]] double simulated(StallKind kind) const;
  [[nodiscard]] double closed(StallKind kind) const;
};

/// Shares of `parts` by the simulator's own runs of the launch. `choice`: how it is simulated.
[[nodiscard]] std::map<std::string_view, double> simulated_shares(const Simulator& simulator,
                                                                  const ModelInput& input,
                                                                  const SimulationChoice& choice);

/// The shares of stall_shares() by the names of StallSplit's parts.
[[nodiscard]] std::map<std::string_view, double> closed_shares(
    const std::map<std::string, double>& stalls);

/// Refuses an evaluation without a usable run of `sim` and one of a closed form.
Expected<StallSplit> stall_split(const Evaluation& evaluation);

}  // namespace forewarp::explain
