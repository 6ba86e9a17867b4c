// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Shared memory that leaves room for one block more, where it is what limits them.
class SharedEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "shared-memory"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "less shared memory, where it limits the warps";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
