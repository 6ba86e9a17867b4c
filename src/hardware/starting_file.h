// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "hardware/device_query.h"
#include "hardware/gpu.h"

namespace forewarp::hardware {

/// The text of a board's file to go on from: what docs/data.md asks of one. Numbers are those of
/// `queried`, and where it has none (null: nowhere) those of `like`, which then are assumptions;
/// what was measured on `like` itself is left out.
[[nodiscard]] std::string starting_file(std::string_view name, const Gpu& like,
                                        const QueriedDevice* queried);

}  // namespace forewarp::hardware
