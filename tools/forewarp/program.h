// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.h"
#include "study_host.h"

namespace forewarp::cli {

/// Every command, for a program that does with kept points what `host` does. The host lives as long
/// as the description.
[[nodiscard]] Command all_commands(StudyHost& host);

/// First of all in main, before a thread is started: how the heap grows, and what signals clean up.
void begin_program();

/// Runs the command line under all_commands() and returns the exit code; faults that no command
/// answers are one line on standard error too.
int run_program(StudyHost& host, int argc, char** argv);

}  // namespace forewarp::cli
