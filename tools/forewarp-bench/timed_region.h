// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "bench_test.h"
#include "program/kernel.h"

namespace forewarp::cli {

/// Instructions that a test times: indices into Kernel::instructions, first and past the last.
using TimedRegion = std::pair<std::uint32_t, std::uint32_t>;

/// Of a kernel that times itself: from behind each odd reading of the clock to the next reading. Of
/// another: the loop with most instructions of the measured opcode, the innermost of those.
[[nodiscard]] std::vector<TimedRegion> timed_regions(const Kernel& kernel, const BenchTest& test);

/// Whether the code is what the test means to measure. Refused: no clock pair or loop, another
/// number of measured instructions (removed, folded, or another opcode), accesses of local memory
/// that are not expected, more other instructions than expected. Padding does not count. `measured`
/// false: the empty kernel, whose regions hold none of the measured instructions.
Expected<void> check_code(const Kernel& kernel, const BenchTest& test, bool measured = true);

}  // namespace forewarp::cli
