// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// What values are needed for: which instructions are executed, or also where they access memory.
enum class NeededFor : std::uint8_t { control, accesses };

/// How much of an instruction has to be executed.
enum class Need : std::uint8_t { count, places, values };

/// What is needed of each instruction, from where control or an access is decided back to where the
/// values come from. For control, values that a kernel passes to itself through global memory are
/// not followed; for accesses they are. Where code is called or jumped to through registers, the
/// order of instructions does not count.
[[nodiscard]] std::vector<Need> needed_values(const Program& program, NeededFor purpose);

/// Leaves out the values of a program that decide neither what is executed nor where memory is
/// accessed: such instructions are counted, and such accesses have places but move nothing. What
/// memory and registers hold after a run then means nothing, and what is drawn for unknown data may
/// be drawn otherwise. Programs whose blocks steer each other and those that call the driver stay
/// as they are.
void leave_out_values(Program& program);

}  // namespace forewarp::execution
