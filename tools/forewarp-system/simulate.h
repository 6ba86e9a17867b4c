// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/simulate_asked.h"

namespace forewarp::cli {

/// Runs `forewarp simulate`: one simulation, or one for each point of its sweeps.
Expected<int> simulate_asked(const SimulateAsked& asked);

}  // namespace forewarp::cli
