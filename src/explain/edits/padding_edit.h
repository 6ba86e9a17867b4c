// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Shared memory whose accesses meet in banks, with padded rows: the pitch is the step between
/// lanes, or as wide as all banks where that is shorter. The block then takes more shared memory.
class PaddingEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "bank-conflicts"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "rows of shared memory, a word longer where lanes meet in a bank";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
