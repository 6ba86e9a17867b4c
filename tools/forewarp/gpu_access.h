// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "command_line.h"
#include "hardware/gpu.h"

namespace forewarp::cli {

/// The options of `forewarp gpu access`, as typed.
struct AccessOptions {
  std::string space, kind = "load", strides, addresses;
  std::uint32_t bytes = 4;
  std::int64_t offset = 0;  ///< bytes
  std::optional<std::uint32_t> lanes;
};

[[nodiscard]] std::vector<Flag> access_flags(AccessOptions& options);

/// One warp's access by the rules of the GPU's generation: a table with a row per stride, or JSON
/// (keys: docs/result.md).
[[nodiscard]] Expected<std::string> access_text(const Gpu& gpu, const AccessOptions& options,
                                                bool json);

}  // namespace forewarp::cli
