// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "base/registry.h"
#include "characterise/estimators/evidence.h"
#include "characterise/numbers/number_list.h"

namespace forewarp::characterise {

/// The parameter as one configuration shows it.
struct EstimatePoint {
  std::string config;  ///< what was kept apart: "blocks=1,threads=256"
  double value = 0;
  std::optional<double> deviation;
};

/// A number of the hardware, in the unit of its row.
struct Estimate {
  double value = 0;
  std::optional<double> deviation;    ///< one standard deviation; none: cannot be said
  std::string note;                   ///< how many configurations, where it is valid
  std::vector<EstimatePoint> points;  ///< one for each configuration
};

/// A way to a number.
class Estimator {
 public:
  virtual ~Estimator() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view sentence() const = 0;
  /// Fails, naming the test, where its samples do not say the number.
  Expected<Estimate> estimate(const NumberRow& row, const Evidence& evidence) const;

 private:
  /// Before `less`, `moved`, `factor` and `divide` of the row.
  virtual Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const = 0;
};

/// All of them.
[[nodiscard]] Registry<Estimator> estimators();

}  // namespace forewarp::characterise
