// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "forewarp/command_line.h"
#include "forewarp/run_asked.h"
#include "run.h"

int main(int argc, char** argv) {
  namespace cli = forewarp::cli;
  cli::Command all{"", "Forewarp runs CUDA programs without a GPU."};
  all.commands = {cli::run_command(cli::run_asked)};
  try {
    return cli::run_command_line(all, argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "forewarp: internal fault: %s\n", fault.what());
    return 1;
  }
}
