// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// Whether a warp still runs, or why it stopped.
enum class WarpState : std::uint8_t { runs, gives_way, at_barrier, at_phase, ended, faulted };

}  // namespace forewarp::execution
