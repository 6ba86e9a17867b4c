// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::cli {

/// From now on SIGINT, SIGTERM and SIGHUP, where they are not ignored, end the process after the
/// temporary folders that it has are gone. Call it before any other thread is begun.
void clean_up_at_signals();

/// From now on the first SIGINT only makes this true; the next ends the process.
void stop_at_interrupt();
[[nodiscard]] bool interrupted();

}  // namespace forewarp::cli
