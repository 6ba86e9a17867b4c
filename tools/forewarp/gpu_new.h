// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "command_line.h"
#include "hardware/database.h"

namespace forewarp::cli {

/// What `forewarp gpu new` was asked for.
struct NewGpuOptions {
  std::string name, like, query, output;
};

[[nodiscard]] std::vector<Flag> new_gpu_flags(NewGpuOptions& options);

/// Writes the file that a new board begins with and says where; refuses to overwrite one.
Expected<int> write_new_gpu(const HardwareDatabase& database, const NewGpuOptions& options);

}  // namespace forewarp::cli
