// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// The size (`over`, default: bytes) up to which the curve is as flat as level `level` (part
/// "from", the first), or from which on it is the next level (part "to"). Where sizes in between
/// were measured the ends are those of the line through them. Samples times a factor move no size.
/// With several tests, whose ids end in a stride in bytes: the least stride from which on they take
/// no longer, which is what one miss brings along.
class SizeEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "size"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "where one level of a chase over growing sizes ends";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
