// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prediction/evaluation.h"
#include "result/result.h"

namespace forewarp::explain {

/// Adds each instruction's share of the warps' time to Result::listing and, if the code has source
/// lines, fills Result::source and Result::source_loops. The share is, if an SM was simulated, of
/// the cycles that warps issue there and wait before; else, if memory limits, of the bytes moved;
/// else of the cycles of the unit that limits; else of those on a warp's critical path.
void add_source(const Evaluation& evaluation, Result& result);

}  // namespace forewarp::explain
