// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// Warps per SM, their limiter, what is needed to hide the latency, and the curve over block size
/// (text: the block sizes that reach the most).
class OccupancyView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "occupancy"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "warps per SM, what limits them, and the curve over block size";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.curve = true, .stalls = false, .simulation = true};
  }
};

}  // namespace forewarp::report
