// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/expected.h"
#include "hardware/gpu.h"

namespace forewarp::validation {

/// Loads the GPU of an id.
using GpuLoader = std::function<Expected<std::shared_ptr<const Gpu>>(const std::string&)>;

}  // namespace forewarp::validation
