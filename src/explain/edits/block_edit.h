// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// The same threads in larger or smaller blocks, executed anew.
class BlockEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "block-size"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "other sizes of a block over the same threads";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
