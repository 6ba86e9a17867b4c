// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The source with the time, issues and traffic of each line, and its loops.
class SourceView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "source"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the source: time, issues, traffic and waits by line, loops with their passes";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.listing = true, .stalls = false, .simulation = true};
  }
};

}  // namespace forewarp::report
