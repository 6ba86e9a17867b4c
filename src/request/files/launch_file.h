// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "base/expected.h"
#include "request/case.h"

namespace forewarp::request {

/// Reads a launch in TOML:
///   kernel = "axpy"
///   grid = [1562500, 1, 1]
///   block = 256
///   args = [400000000, 128, {f32 = 2.5}, {buffer = 1600000000, content = "zeros"}]   # or [args]
///   by name clock_mhz = 1253
/// The keys are those of a case without input, gpu and what was measured.
Expected<Case> read_launch_file(const std::filesystem::path& path);

/// The same from text; `file` is its name in messages, and its folder is where relative paths
/// start.
Expected<Case> parse_launch(std::string_view toml, const std::filesystem::path& file);

}  // namespace forewarp::request
