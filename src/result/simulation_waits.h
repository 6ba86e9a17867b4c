// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "result/simulation.h"

namespace forewarp::result {

/// A cause of stalls other than the issue itself.
[[nodiscard]] bool is_wait(std::string_view cause);

/// Cycles per issue that warps waited before this instruction, whatever for.
[[nodiscard]] double waited(const SimulationFacts::Instruction& instruction);

}  // namespace forewarp::result
