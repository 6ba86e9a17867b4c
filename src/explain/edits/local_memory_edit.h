// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Local memory that registers could hold: spilled ones and arrays with indices that are known when
/// compiling. The block then takes as many more registers.
class LocalMemoryEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "local-memory"; }
  [[nodiscard]] std::string_view sentence() const override { return "local memory, in registers"; }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
