// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/estimator.h"

#include <cmath>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr double rounding = 1e-12;  // of a value: repeats that are alike

}  // namespace

Expected<Estimate> Estimator::estimate(const NumberRow& row, const Evidence& evidence) const {
  auto made = raw(row, evidence);
  if (!made) return made;
  double factor = row.factor;
  if (!row.divide.empty()) {
    const auto divisor = evidence.fact(row.divide);
    if (!divisor || !(*divisor > 0)) {
      return Diagnostic{row.fact, "is to be divided by " + row.divide + ", which is not known",
                        "a fact of the device, or a row before this one", ""};
    }
    factor /= *divisor;
  }
  double less = row.less;
  if (!row.move.empty()) {
    const auto cost = evidence.fact(row.move);
    if (!cost) {
      return Diagnostic{row.fact, "moves registers for " + row.move + ", which is not known",
                        "a fact of the device, or a row before this one", ""};
    }
    less += row.moved * *cost;
    made->note += (made->note.empty() ? "" : "; ") + ("less " + significant(row.moved)) +
                  " moved registers of " + significant(*cost, 4) + " cycles";
  }
  const auto scale = [&](double& value, std::optional<double>& deviation) {
    value = (value - less) * factor;
    if (!deviation) return;
    *deviation *= factor;
    if (*deviation < rounding * std::abs(value)) *deviation = 0;
  };
  scale(made->value, made->deviation);
  for (EstimatePoint& point : made->points) scale(point.value, point.deviation);
  if (!std::isfinite(made->value)) {
    return Diagnostic{row.fact, "comes out as no number", "samples that differ", ""};
  }
  return made;
}

}  // namespace forewarp::characterise
