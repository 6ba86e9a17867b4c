// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// Why a warp stopped, or that it did not.
enum class WarpState : std::uint8_t { runs, gives_way, at_barrier, ended, faulted };

}  // namespace forewarp::execution
