// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// The same work spread over whole waves, where the last wave of blocks leaves SMs idle.
class WaveEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "waves"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the same work in whole waves of blocks";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
