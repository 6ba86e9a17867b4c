// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The latency-bound path: its length as formula and number, and the steps that carry most of it.
class PathView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "path"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the critical path in a sentence, and the steps that carry it";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override { return {.listing = true, .stalls = false}; }
};

}  // namespace forewarp::report
