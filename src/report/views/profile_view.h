// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// Executed warp instructions by class with their share, then requests, sectors, hit rates and
/// bytes of the memory levels.
class ProfileView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "profile"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "executed instructions by class, and the traffic of each memory level";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
