// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/estimator.h"

#include <cmath>

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
  const auto scale = [&](double& value, std::optional<double>& deviation) {
    value = (value - row.less) * factor;
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
