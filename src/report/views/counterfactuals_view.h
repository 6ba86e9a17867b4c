// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/view.h"

namespace forewarp::report {

/// The time if something were free, and what limits then.
///
///   if this were free          time    ratio              then limited by
///   device memory bandwidth   10.2 ms  0.61   ######....  CUDA cores
class CounterfactualsView : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "counterfactuals"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the time if a unit, a latency or a cache were free";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.stalls = false, .counterfactuals = WhatIfDepth::all};
  }
};

}  // namespace forewarp::report
