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

/// A program of that name in a folder of PATH; empty where none is.
[[nodiscard]] std::filesystem::path program_on_path(const std::string& name);

/// Size and time of change stand for a program's version: asking for it would start one. Empty
/// where the file is not there.
[[nodiscard]] std::string program_identity(const std::filesystem::path& program);

/// Runs it to its end. Fails only when it cannot be started; its own failure is its exit code.
Expected<CommandOutput> run_command(const Command& command);

}  // namespace forewarp::input
