// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/simulate_asked.h"

namespace forewarp::cli {

/// Runs `forewarp simulate`: one simulation, whose answer it writes where it was asked to.
Expected<int> simulate_asked(const SimulateAsked& asked);

}  // namespace forewarp::cli
