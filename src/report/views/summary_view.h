// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The first screen: what was predicted, what changes its meaning, the answer, the reasons.
///
///   KERNEL on GPU NAME (sm_XY, N SMs, 1.253 GHz)                     DATA FILE
///     ! KIND: finding
///     time        146.7 ms      138.2 .. 155.1 ms: what the range means
///     model       NAME          why it was chosen; its options
///     limited by  SENTENCE
///     occupancy   64 of 64 warps/SM   8 blocks of 256 threads, by warps; 29.7 hide the latency
///     latency     3990 cycles   = 918 + 24*a
///     launch      GRID x BLOCK threads   waves; arguments
class SummaryView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "summary"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the answer on one screen: time, limit, occupancy, what to mind";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.stalls = false, .counterfactuals = WhatIfDepth::best};
  }
};

}  // namespace forewarp::report
