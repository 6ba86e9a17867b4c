// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Follows values of global read-modify-writes, of loads that may be polls, and of clocks through
/// registers, predicates, shared memory and barriers that count to a decision whether a loop goes
/// on. Compare-and-swap is left out: its loops repeat until a lane succeeds, which moves no work.
/// nullopt if no loop depends on such a value; cheap for kernels without one.
[[nodiscard]] std::optional<MovingWork> moving_work(const Program& program);

/// Whether what other blocks write, or a clock, decides where a warp goes: a ticket, a lock, a
/// poll, a queue, a wait for some time. Compare-and-swap is included. Values of loads that are no
/// polls do not count.
[[nodiscard]] bool blocks_steer(const Program& program);

/// Addresses of the first instructions of loops that a poll ends: alone, none of them would end.
[[nodiscard]] std::vector<std::uint32_t> waiting_loops(const Program& program);

/// Whether warps sleep.
[[nodiscard]] bool sleeps(const Program& program);

/// "what 0x0120 'ATOMG..' reads decides at 0x0350 whether a loop goes on".
[[nodiscard]] std::string moving_text(const Program& program, const MovingWork& moving);

}  // namespace forewarp::execution
