// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The figures of a result under Nsight Compute's names for them.
class NsightView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "nsight"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "counts, shares of peak and waits by Nsight Compute's metric names";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.stalls = false, .simulation = true};
  }
};

}  // namespace forewarp::report
