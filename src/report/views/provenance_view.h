// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The hardware numbers that this prediction used: value, unit, confidence, source.
class ProvenanceView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "provenance"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the hardware numbers that were used, with their sources";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.provenance = true, .stalls = false};
  }
};

}  // namespace forewarp::report
