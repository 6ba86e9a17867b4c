// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The upper bound of --wcet: what it is made of, region by region, and what it assumes.
class WcetView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "wcet"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the upper bound of --wcet by component and region";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
