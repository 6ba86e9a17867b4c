// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::cli {

/// Where SIGTERM would end the program at once: its streams are flushed and `leave` is called
/// before it does, on a thread of its own. A program that handles the signal itself is left alone.
void prepare_for_termination(void (*leave)());
/// Where it was asked for: gives that thread the time it takes. The signal has interrupted a wait
/// (`pause` returns), and the program must not come to its end meanwhile.
void await_termination();
/// In a forked child, which has not that thread.
void forget_termination();

}  // namespace forewarp::cli
