// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "bench_test.h"
#include "cuda_driver.h"

namespace forewarp::cli {

/// Microseconds of `times` blocking copies of so many bytes, by the host's clock, after one that is
/// not counted. `device` is the one whose context is current. Fails without memory, and for a copy
/// to another GPU where there is none.
Expected<std::vector<double>> copy_times(const OpenedLibrary& driver, int device,
                                         const CopyTest& copy, std::uint64_t bytes,
                                         std::uint32_t times);

}  // namespace forewarp::cli
