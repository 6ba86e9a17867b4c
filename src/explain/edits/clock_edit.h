// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// The boost clock, where the prediction is for a lower one.
class ClockEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "clock"; }
  [[nodiscard]] std::string_view sentence() const override { return "the boost clock"; }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
