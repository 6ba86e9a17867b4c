// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp::characterise {

/// One [[number]]: a fact of a GPU file, and how which samples say it (docs/characterise.md).
struct NumberRow {
  std::string fact, unit;
  std::string how;  ///< name of an estimator
  std::vector<std::string> tests;
  std::optional<double> work;  ///< operations or bytes, as the estimator says; default 1
  double less = 0;             ///< what the result has too much: it is subtracted, in the unit
  double moved = 0;   ///< registers that the window moves beyond the empty one: each takes `move`
  std::string move;   ///< fact with the cycles of a moved register; empty: nothing is taken off
  double factor = 1;  ///< the result is multiplied by it
  std::optional<std::string> over;  ///< swept argument; default: the estimator's own
  std::string part;                 ///< which of the estimator's results; empty: its first
  std::string quantity;             ///< of a counter: "count/NAME"; empty: the estimator's own
  std::string divide;               ///< fact that the result is divided by; empty: none
  std::size_t level = 1;            ///< of plateaus, from the fastest
  std::optional<double> mean_below, misses_below;  ///< of the configuration that stays in L2
  std::optional<double> hits_below;                ///< of a configuration whose loads miss L1
  /// Only records whose configuration has these values.
  std::vector<std::pair<std::string, std::string>> where;
  /// Architectures that it can be measured on this way, as 70; inclusive.
  std::optional<std::pair<int, int>> sms;
  std::string note;
  std::size_t line = 0;

  /// The row's own quantity, else the estimator's.
  [[nodiscard]] std::string quantity_or(const char* otherwise) const {
    return quantity.empty() ? otherwise : quantity;
  }
};

/// One [[invisible]]: a fact that no test shows, and why; `*` stands for any text.
struct InvisibleFact {
  std::string fact, why;
};

struct NumberList {
  std::string file;
  std::vector<NumberRow> rows;
  std::vector<InvisibleFact> invisible;
};

/// Reads numbers.toml. Fails with the position for unknown keys, a row without fact, unit, how or
/// tests (but for `direct`, which the driver
/// may tell), and a fact that has two rows.
Expected<NumberList> parse_numbers(std::string_view text, std::string_view file);

}  // namespace forewarp::characterise
