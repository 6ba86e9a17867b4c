// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace forewarp::execution {

struct Program;

/// A loop whose passes hang on what other blocks do at the same time, or on a clock: a queue that
/// blocks take work from, a poll of another block's flag, a wait for some cycles. A block alone
/// then does another share of the work than beside the others.
struct MovingWork {
  enum class Source : std::uint8_t { read_modify_write, poll, clock };
  Source source = Source::read_modify_write;
  std::uint32_t value = 0;     ///< instruction that the value comes from
  std::uint32_t decision = 0;  ///< instruction that leaves the loop, or does not, by it
};

/// Follows values of read-modify-writes in global memory, of loads that may be polls and of clocks
/// through registers, predicates and shared memory, to where one decides whether a loop goes on.
/// Compare-and-swap is left out: its loops repeat until a lane wins, and no work moves by that.
/// Nothing where there is none; cheap where the kernel has no such source.
[[nodiscard]] std::optional<MovingWork> moving_work(const Program& program);

/// "what 0x0120 'ATOMG..' reads decides at 0x0350 whether a loop goes on".
[[nodiscard]] std::string moving_text(const Program& program, const MovingWork& moving);

}  // namespace forewarp::execution
