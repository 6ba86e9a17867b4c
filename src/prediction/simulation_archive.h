// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/simulated_time.h"

namespace forewarp::prediction {

/// A simulated time with its detail as bytes, in the layout of this build: for this program's cache
/// only, no exchange format.
[[nodiscard]] std::string pack_simulation(const SimulatedTime& time);

/// nullopt where the bytes are not those of a simulation. Allocates at most a few times their size.
[[nodiscard]] std::optional<SimulatedTime> unpack_simulation(std::string_view bytes);

}  // namespace forewarp::prediction
