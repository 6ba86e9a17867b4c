// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The share of a warp's cycles by what it did or waited for.
class StallsView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "stalls"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "where the cycles of a warp go";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.listing = true, .stalls = true, .simulation = true};
  }
};

}  // namespace forewarp::report
