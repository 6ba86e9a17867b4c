// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/edit_kind.h"

namespace forewarp::explain {

bool SeenLaunch::has_source() const {
  return request.input.ends_with(".cu");
}

double SeenLaunch::executions(std::uint32_t instruction) const {
  if (evaluation.trace->profile == nullptr) return 0;
  const InstructionCount& count =
      evaluation.trace->profile->executed.paths.instructions[instruction];
  return count.lanes > 0 ? count.warps : 0;
}

}  // namespace forewarp::explain
