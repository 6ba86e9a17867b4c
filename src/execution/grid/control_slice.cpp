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
    slice.ops[i] = skipped_op();
  }
  return slice;
}

MicroOp skipped_op() {
  MicroOp op;
  op.guard_flip = all_lanes;
  return op;
}

}  // namespace forewarp::execution
