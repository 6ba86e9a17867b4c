// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

/// A program to run, without a shell, so that no argument needs quoting.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;  ///< working folder; empty: the current one
};

struct CommandOutput {
  int exit_code = 0;  ///< 128 + signal if a signal ended it
  std::string output;
  std::string errors;
};

/// Runs a command to its end. Fails only if it cannot be started; otherwise see exit_code.
Expected<CommandOutput> run_command(const Command& command);

}  // namespace forewarp::input
