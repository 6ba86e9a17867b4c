// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Fewer registers per thread where they limit the resident blocks: source is compiled again under
/// that bound, spills included; a listing is taken with fewer registers as it is. More, where
/// launch bounds in the source hold them down.
class RegisterEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "registers"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "fewer registers, where they limit the warps; more, where launch bounds forbid them";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
