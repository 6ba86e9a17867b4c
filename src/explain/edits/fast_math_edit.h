// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

/// Whether an instruction is the reciprocal, root or function that stands for one place in the
/// source which -use_fast_math makes shorter: of floats, not of doubles, and not the reciprocal
/// with which integers are divided.
[[nodiscard]] bool is_float_math(const Kernel& kernel, std::uint32_t index);

/// The source compiled again with -use_fast_math, where it calculates what that changes.
class FastMathEdit : public EditKind {
 public:
  [[nodiscard]] std::string_view name() const override { return "fast-math"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the source compiled with -use_fast_math";
  }
  [[nodiscard]] std::vector<EditProposal> proposals(const SeenLaunch& seen) const override;
};

}  // namespace forewarp::explain
