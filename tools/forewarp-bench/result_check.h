// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/expected.h"
#include "bench_test.h"

namespace forewarp::cli {

/// Whether every thread's results are what the host calculates, within 1e-5 of them (SAN-09). Fails
/// naming the first that is not, and for texts without a value.
Expected<void> check_results(const ResultCheck& check, std::span<const float> results,
                             std::span<const float> inputs, const std::string& place);

}  // namespace forewarp::cli
