// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/run_asked.h"

namespace forewarp::cli {

/// Starts the program with the substitutes, waits for it and writes the report. The exit code is the
/// program's; 128 + signal where a signal ended it.
Expected<int> run_asked(const RunAsked& asked);

}  // namespace forewarp::cli
