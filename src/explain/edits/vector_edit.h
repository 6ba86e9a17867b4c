// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Loads or stores of one thread to words that follow each other, one at a time, as vectors. Where
/// all recorded addresses are aligned to them.
class VectorEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "vectors"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "accesses of neighbouring words, as one of 8 or 16 bytes";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
