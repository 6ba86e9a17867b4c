// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Follows values of read-modify-writes in global memory, of loads that may be polls and of clocks
/// through registers, predicates and shared memory, to where one decides whether a loop goes on.
/// Compare-and-swap is left out: its loops repeat until a lane wins, and no work moves by that.
/// Nothing where there is none; cheap where the kernel has no such source.
[[nodiscard]] std::optional<MovingWork> moving_work(const Program& program);

/// "what 0x0120 'ATOMG..' reads decides at 0x0350 whether a loop goes on".
[[nodiscard]] std::string moving_text(const Program& program, const MovingWork& moving);

}  // namespace forewarp::execution
