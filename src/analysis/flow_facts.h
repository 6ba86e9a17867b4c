// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/control_flow.h"
#include "analysis/dominators.h"
#include "analysis/loops.h"
#include "program/kernel.h"

namespace forewarp::analysis {

/// Facts of the control-flow graph on which value flow builds.
struct FlowFacts {
  const Kernel& kernel;
  const ControlFlow& flow;
  const Dominators& dominators;
  const Loops& loops;
};

}  // namespace forewarp::analysis
