// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/pipelining.h"

#include "base/text.h"

namespace forewarp::characterise {

double Pipelining::cycles_each() const {
  if (rows.empty()) return 0;
  return rows.back().cycles / static_cast<double>(rows.back().operations);
}

Pipelining pipelining(const std::map<std::size_t, double>& cycles) {
  Pipelining made;
  for (const auto& [operations, total] : cycles) {
    const double before = made.rows.empty() ? 0 : made.rows.back().cycles;
    if (total < before) {
      made.warnings.push_back(
          std::to_string(operations) + " operations take " + significant(total) + " cycles, " +
          std::to_string(made.rows.back().operations) + " take " + significant(before));
    }
    made.rows.push_back({operations, total, total - before});
  }
  return made;
}

}  // namespace forewarp::characterise
