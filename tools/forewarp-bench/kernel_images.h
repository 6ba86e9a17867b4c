// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/expected.h"

namespace forewarp::cli {

/// Compiled kernels by the stem of their source: "latency" -> the bytes of a fat binary.
using KernelImages = std::map<std::string, std::string>;

/// Those inside this program; empty where it was built without a CUDA toolkit.
[[nodiscard]] KernelImages images_inside();
/// The toolkit that compiled them: "11.8"; "none" without kernels.
[[nodiscard]] std::string toolkit_inside();

/// NAME.fatbin and NAME.cubin of a folder. Fails if there is none.
Expected<KernelImages> images_in(const std::filesystem::path& folder);

}  // namespace forewarp::cli
