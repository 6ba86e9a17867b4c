// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "forewarp/command_line.h"
#include "forewarp/signals.h"
#include "forewarp/simulate_asked.h"
#include "simulate.h"

int main(int argc, char** argv) {
  namespace cli = forewarp::cli;
  cli::clean_up_at_signals();
  cli::Command all{"", "Forewarp predicts how long applications take on systems of GPUs."};
  all.commands = {cli::simulate_command(cli::simulate_asked)};
  try {
    return cli::run_command_line(all, argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "forewarp: internal fault: %s\n", fault.what());
    return 1;
  }
}
