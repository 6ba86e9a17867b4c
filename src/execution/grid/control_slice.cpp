// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/control_slice.h"

#include <vector>

#include "execution/grid/needed_values.h"

namespace forewarp::execution {

Program control_slice(const Program& program) {
  Program slice = program;
  const std::vector<Need> needs = needed_values(program, NeededFor::control);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i] == Need::values) continue;
    MicroOp skipped;
    skipped.guard_flip = all_lanes;  // guarded by a predicate that never holds
    slice.ops[i] = skipped;
  }
  return slice;
}

}  // namespace forewarp::execution
