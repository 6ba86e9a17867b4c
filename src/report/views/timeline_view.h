// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The first issues of a simulated SM: what each scheduler did and waited for, what its first warps
/// issued, and the beginning as a table.
class TimelineView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "timeline"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the first issues of a simulated SM, as a picture and a table";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.listing = true, .stalls = false, .simulation = true};
  }
};

}  // namespace forewarp::report
