// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::cli {

/// From now on SIGINT, SIGTERM and SIGHUP, unless ignored, remove the process's temporary folders
/// before they end it. To be called before any other thread is started.
void clean_up_at_signals();

/// From now on the first SIGINT only sets interrupted(); the next one ends the process.
void stop_at_interrupt();
/// The same of SIGTERM, which `timeout` and batch systems send.
void stop_at_termination();
[[nodiscard]] bool interrupted();

}  // namespace forewarp::cli
