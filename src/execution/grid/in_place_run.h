// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "execution/grid/grid_runner.h"

namespace forewarp::execution {

/// Executes every block of a launch on the memory of a running program: all buffers have a place,
/// where blocks see what others wrote. Blocks run in order on `options.threads` threads, or on one
/// where their order decides results (atomics of device memory, blocks that wait for each other),
/// so that results do not depend on the number of threads unless blocks race. Of the options,
/// threads and most_instructions count; where the limit ends it, GridRun::cut says where it was.
/// `goes_on` is asked before each block and now and then within one, by any thread; once it says
/// no, the run is cut.
Expected<GridRun> run_in_place(const Program& program, const ExecutionInput& input,
                               const GridOptions& options,
                               const std::function<bool()>& goes_on = {});

}  // namespace forewarp::execution
