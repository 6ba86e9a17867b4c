// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "hardware/device_query.h"
#include "hardware/gpu.h"

namespace forewarp::hardware {

/// The text of a board's file as a starting point, with the contents that docs/data.md requires.
/// Numbers come from `queried` or, where it has none (or is null), from `like` as assumptions;
/// numbers measured on `like` itself are left out.
[[nodiscard]] std::string starting_file(std::string_view name, const Gpu& like,
                                        const QueriedDevice* queried);

}  // namespace forewarp::hardware
