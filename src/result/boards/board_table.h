// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// One launch on many boards, fastest first (docs/gpus.md).
struct BoardTable {
  struct Row {
    Result result;     ///< without a listing
    double watts = 0;  ///< of the board while the kernel runs, at most its limit
    double joules = 0;
    std::array<double, 2> joules_range{};  ///< standing power to limit, over the time's interval
    bool measured_power = false;           ///< the board's file has power numbers of its own
    double bandwidth_gbs = 0;              ///< that copies reach
    std::string bandwidth_from;            ///< what it rests on: "copies", "lattice", "class", ..
    std::string bandwidth_source;          ///< where it was measured
    /// Memory limits this board and the one before it, their bandwidths rest on different things,
    /// and their intervals overlap.
    bool unsure_rank = false;
    std::optional<double> price_per_hour;  ///< in the currency of the price table
    std::optional<double> cost_per_1000;   ///< launches
    bool front = false;  ///< no other board is as good in every figure and better in one
  };
  /// Boards that cannot run the code or the launch, by reason.
  struct Refused {
    std::string reason, way_out;
    std::vector<std::string> ids;
  };
  std::vector<Row> rows;
  std::vector<Refused> refused;
  std::string prices;       ///< file of the price table; empty: no costs
  bool closer_look = true;  ///< as predict; else formulas and a short look at the caches

  [[nodiscard]] std::size_t asked() const;
};

/// One JSON object, schema "forewarp.gpus/1", ending in a newline.
[[nodiscard]] std::string to_json(const BoardTable& table);

}  // namespace forewarp::result
