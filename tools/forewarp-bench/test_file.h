// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "bench_test.h"

namespace forewarp::cli {

/// Reads bench/tests.toml. Refused with file and line: unknown keys, a test without file or kernel,
/// an id that is no word of [a-z0-9_] or there twice, lists that are empty.
Expected<std::vector<BenchTest>> read_tests(std::string_view text, const std::string& file);

}  // namespace forewarp::cli
