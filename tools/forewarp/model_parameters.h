// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "hardware/gpu.h"

namespace forewarp::cli {

/// Loads a GPU of the database by its id.
Expected<Gpu> load_gpu(const std::string& name);

/// Prints the inputs that describe the machine with unit, source and confidence, and which are
/// missing.
Expected<int> show_parameters(const std::string& form, const std::string& gpu,
                              const std::string& preset);

}  // namespace forewarp::cli
