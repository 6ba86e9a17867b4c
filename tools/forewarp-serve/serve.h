// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/serve_asked.h"

namespace forewarp::cli {

/// Runs `forewarp serve`: until a signal ends it.
Expected<int> serve_asked(const ServeAsked& asked);

}  // namespace forewarp::cli
