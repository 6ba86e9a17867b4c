// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/prepared.h"
#include "result/result.h"

namespace forewarp::explain {

/// Which share of the warps' time each instruction of Result::listing takes, and where the code
/// says which source line it is of: Result::source and Result::source_loops. Where an SM was
/// simulated, the time is what warps spend issuing there and waiting to; else, where memory limits,
/// the bytes that it moves; else how often it runs times what its result takes.
void add_source(const Prepared& prepared, Result& result);

}  // namespace forewarp::explain
