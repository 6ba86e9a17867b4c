// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Arithmetic on doubles in a kernel that moves no double: constants without an f make them.
class DoubleEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "doubles"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "arithmetic on doubles between floats, as floats";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
