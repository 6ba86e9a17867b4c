// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// What was assumed and the option that changes it.
///
///     id       change with   what is assumed
class AssumptionsView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "assumptions"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "what was assumed, and the option that changes it";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
