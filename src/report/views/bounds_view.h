// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// Each resource as if it were the only limit. Those within 2 % of the tightest are the bottleneck,
/// unless what limits is no bound (latency).
///
///   bounds: if this were the only limit                     * bottleneck
///     resource  cycles/warp  time  share of the prediction  bar  cycles per warp as a formula
///
/// Bounds below 5 % of the tightest are only named, in a line below.
class BoundsView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "bounds"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "each resource as if it were the only limit";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
