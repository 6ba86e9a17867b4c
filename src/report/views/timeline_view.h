// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// Issue by issue of the simulated SM: when, which scheduler and warp, which instruction, drawn on
/// a scale of the time shown.
class TimelineView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "timeline"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "issues of the simulated SM one by one, and what its clock would show";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
