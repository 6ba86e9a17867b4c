// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "bench_command.h"
#include "forewarp/signals.h"

int main(int argc, char** argv) {
  forewarp::cli::clean_up_at_signals();
  try {
    return forewarp::cli::run_command_line(forewarp::cli::bench_commands(), argc, argv);
  } catch (const std::exception& fault) {  // a full disk, a closed pipe
    std::fprintf(stderr, "forewarp-bench: %s\n", fault.what());
    return 1;
  }
}
