// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::cli {

/// Where SIGTERM would end the program at once: its streams are flushed and `leave` is called
/// before it does, on a thread of its own. A program that handles the signal itself is left alone.
void prepare_for_termination(void (*leave)());
/// In a forked child, which has not that thread.
void forget_termination();

}  // namespace forewarp::cli
