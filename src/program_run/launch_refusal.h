// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hardware/gpu.h"
#include "program_run/launch_order.h"
#include "program_run/status.h"

namespace forewarp::program_run {

/// What a board answers to a launch that it cannot take, with a line about it where the answer
/// alone does not say what is wrong; nothing: it takes it.
[[nodiscard]] std::optional<Status> refusal_of(const Gpu& board, const LaunchOrder& order,
                                               std::string& message);

}  // namespace forewarp::program_run
