// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "command_line.h"
#include "hardware/database.h"

namespace forewarp::cli {

/// The options of `forewarp gpu new`.
struct NewGpuOptions {
  std::string name, like, query, smi, mt4g, output;
};

[[nodiscard]] std::vector<Flag> new_gpu_flags(NewGpuOptions& options);

/// Writes a first file for a new board and prints its path; refuses to overwrite a file.
Expected<int> write_new_gpu(const HardwareDatabase& database, const NewGpuOptions& options);

}  // namespace forewarp::cli
