// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/pipelining_estimator.h"

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "characterise/estimators/window_pairs.h"
#include "characterise/statistics/pipelining.h"

namespace forewarp::characterise {

Expected<Estimate> PipeliningEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  // Means over the configurations that all tests have: others would differ for another reason.
  std::map<std::string, std::vector<double>> by_config;
  for (std::size_t i = 0; i < row.tests.size(); ++i) {
    const auto pairs = window_pairs(row, row.tests[i], evidence);
    if (!pairs) return pairs.error();
    for (const WindowPair& pair : *pairs) {
      std::vector<double>& means = by_config[pair.config];
      if (means.size() == i) means.push_back(pair.free.mean());
    }
  }
  std::erase_if(by_config, [&](const auto& one) { return one.second.size() < row.tests.size(); });
  if (by_config.empty()) {
    return Diagnostic{row.fact, "no configuration was measured by each of its tests", "", ""};
  }
  std::map<std::size_t, double> cycles;
  for (std::size_t i = 0; i < row.tests.size(); ++i) {
    for (const auto& [config, means] : by_config)
      cycles[i + 1] += means[i] / static_cast<double>(by_config.size());
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
