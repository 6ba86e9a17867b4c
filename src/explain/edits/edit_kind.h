// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "execution/access/seen_accesses.h"
#include "explain/edits/launch_edit.h"
#include "explain/what_if.h"
#include "prediction/evaluation.h"
#include "request/predict_options.h"

namespace forewarp::explain {

/// An evaluated launch with what was asked for, and what its accesses look like.
struct SeenLaunch {
  const Evaluation& evaluation;
  const Case& request;
  const PredictOptions& options;
  std::map<std::uint32_t, SeenAccess> accesses;  ///< by instruction; empty: not executed

  /// The code can be compiled again with other options.
  [[nodiscard]] bool has_source() const;
  /// Executions of an instruction over the whole grid; 0: not executed.
  [[nodiscard]] double executions(std::uint32_t instruction) const;
};

/// Another launch of the same case, predicted as if it had been asked for.
struct OtherCase {
  Case request;
  PredictOptions options;
  bool same_work = false;  ///< counts only if it moves as much data to and from as many threads
};

/// An edit that can be tried.
struct EditProposal {
  std::string edit;                          ///< what to do: "pad the rows of shared memory by .."
  std::optional<std::uint32_t> instruction;  ///< where; none: in the launch, or in all of the code
  std::string reason;     ///< figures that speak for it before it is tried; may be empty
  std::string condition;  ///< what nobody checked; empty: nothing
  std::variant<LaunchEdit, OtherCase, World> change;
  /// Counts only where no other proposal of its kind for its place does: that one is nearer to what
  /// would be written.
  bool stands_in = false;
};

/// One kind of edit. Of the proposals that one kind makes for one place the best is told.
class EditKind {
 public:
  virtual ~EditKind() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view sentence() const = 0;
  /// What the evidence speaks for; none where it does not apply.
  [[nodiscard]] virtual std::vector<EditProposal> proposals(const SeenLaunch& seen) const = 0;
};

/// All kinds, in the order in which they are tried.
[[nodiscard]] const std::vector<std::unique_ptr<EditKind>>& edit_kinds();

}  // namespace forewarp::explain
