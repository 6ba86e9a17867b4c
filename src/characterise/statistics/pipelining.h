// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace forewarp::characterise {

/// What so many independent operations of one kind take together.
struct PipeliningRow {
  std::size_t operations = 0;
  double cycles = 0;
  double increment = 0;  ///< over the row before; of the first row: its own cycles
};

/// Cycles by number of operations (Sánchez 2017, Table 12), with a warning for each row that takes
/// less than the one before: such a row is no evidence of a pipeline.
struct Pipelining {
  std::vector<PipeliningRow> rows;
  std::vector<std::string> warnings;
  /// Cycles of one operation when many follow each other: the last total over its operations.
  [[nodiscard]] double cycles_each() const;
};
[[nodiscard]] Pipelining pipelining(const std::map<std::size_t, double>& cycles);

}  // namespace forewarp::characterise
