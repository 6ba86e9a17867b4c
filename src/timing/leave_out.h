// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/simulated_time.h"
#include "timing/machine/timed_kernel.h"

namespace forewarp::timing {

/// Takes what is left out away from a lowered launch: a rate without a limit takes no time at its
/// unit, and queues have room for all; a latency that is left out is 0. Latency that grows with the
/// load of device memory goes with its rate. What starts blocks, constants and copies in bulk stay.
void leave_out(const LeftOut& what, SmMachine& machine, TimedKernel& kernel);

}  // namespace forewarp::timing
