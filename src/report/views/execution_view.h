// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// What the warps did: passes of loops, divergent branches, the paths that warps take, and the
/// memory accesses one by one. Says so if the kernel was not executed.
class ExecutionView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "execution"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "loops, branches, paths and accesses as they were executed";
  }
  [[nodiscard]] Section content(const Result& result) const override;
};

}  // namespace forewarp::report
