// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The upper bound of --wcet: where it comes from, region by region, and what it takes for granted.
class WcetView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "wcet"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the upper bound of --wcet by component and region";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
