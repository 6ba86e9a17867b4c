// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// `work`: bytes for one of the swept argument: of the whole launch where it is `bytes`, else of
/// each thread in a pass. Where it has several values the slope of time over it counts, else the
/// time. Unit "GB/s": of the device; "1": over memory.theory_gbs, or what `divide` names;
/// "B/cycle": of each SM that has work. Of several configurations the fastest one.
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
