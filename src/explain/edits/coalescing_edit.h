// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Accesses to global memory whose lanes lie a step apart, with the buffer's rows and columns
/// swapped, so that they lie side by side: arrays of structures, walks along rows, transposes.
class CoalescingEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "coalescing"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "lanes that lie apart in global memory, side by side";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
