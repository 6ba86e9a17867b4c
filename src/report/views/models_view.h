// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// Every model that was asked: its time, the ratio to the prediction, whether it applies and why.
class ModelsView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "models"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "what every model says, and whether it applies";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
