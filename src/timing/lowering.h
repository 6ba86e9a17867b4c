// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/machine/timed_kernel.h"
#include "timing/timing_source.h"

namespace forewarp::timing {

/// The SM of this GPU under these rules.
[[nodiscard]] SmMachine lower_machine(const TimingSource& source, const PolicyChoice& policy);

/// The kernel's instructions for it.
[[nodiscard]] TimedKernel lower_kernel(const TimingSource& source, SmMachine& machine);

}  // namespace forewarp::timing
