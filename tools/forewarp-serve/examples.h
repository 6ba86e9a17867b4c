// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "serve/api/api.h"

namespace forewarp::cli {

/// What examples.json beside the data names, as far as its files are there.
[[nodiscard]] std::vector<Example> examples_of(const std::filesystem::path& folder);

}  // namespace forewarp::cli
