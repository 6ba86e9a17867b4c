// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Bytes are `work` times the argument `over` (default: bytes). Where that has several values the
/// slope of time over it counts, else the time. Unit "GB/s" (or "1", with `divide`): of the whole
/// device; "B/cycle": of each SM that has work. Of several configurations the fastest one.
class BandwidthEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "bandwidth"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "bytes over time, from its slope where the size is swept";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
