// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/pipelining_estimator.h"

#include <map>

#include "base/text.h"
#include "characterise/estimators/window_pairs.h"
#include "characterise/statistics/pipelining.h"

namespace forewarp::characterise {

Expected<Estimate> PipeliningEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  std::map<std::size_t, double> cycles;
  for (std::size_t i = 0; i < row.tests.size(); ++i) {
    const auto pairs = window_pairs(row, row.tests[i], evidence);
    if (!pairs) return pairs.error();
    double sum = 0;
    for (const WindowPair& pair : *pairs) sum += pair.free.mean();
    cycles[i + 1] = sum / static_cast<double>(pairs->size());
  }
  const Pipelining table = pipelining(cycles);
  Estimate made;
  made.value = table.cycles_each();
  made.note = "of " + std::to_string(table.rows.size()) + " operations";
  for (const std::string& warning : table.warnings) made.note += "; " + warning;
  for (const PipeliningRow& operations : table.rows) {
    made.points.push_back(
        {"operations=" + std::to_string(operations.operations), operations.cycles, {}});
  }
  return made;
}

}  // namespace forewarp::characterise
