// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::cli {

/// From now on SIGINT, SIGTERM and SIGHUP, where they are not ignored, end the process after the
/// temporary folders that it has are gone. Call it before any other thread is begun.
void clean_up_at_signals();

}  // namespace forewarp::cli
