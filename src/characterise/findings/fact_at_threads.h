// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "characterise/findings/characterisation.h"
#include "characterise/statistics/config_table.h"

namespace forewarp::characterise {

/// A fact over the numbers of threads in the grid with which it was measured: of its points whose
/// configurations have blocks and threads.
[[nodiscard]] ConfigTable fact_over_threads(const FoundFact& fact);

/// A fact as it was measured with so many threads in the grid, from its points whose configurations
/// have blocks and threads. Fails, naming the fact, where there is none and outside of the sweep.
Expected<ConfigValue> fact_at_threads(const FoundFact& fact, double threads);

}  // namespace forewarp::characterise
