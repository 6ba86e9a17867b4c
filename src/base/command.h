// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::base {

/// What a program that runs to its end may use: it and all that it starts.
struct CommandLimits {
  std::chrono::milliseconds time{std::chrono::minutes(5)};
  std::uint64_t memory = std::uint64_t{12} << 30U;  ///< bytes, resident
  std::uint64_t output = std::uint64_t{1} << 30U;   ///< bytes, of both streams together
};

/// A program to run, without a shell, so that no argument needs quoting.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;  ///< working folder; empty: the current one
  CommandLimits limits{};
  /// For its temporary files, which it leaves where it is ended; empty: where this process has its.
  std::filesystem::path temporary{};
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

/// Runs it to its end, as a Child. Fails when it cannot be started and when it exceeds a limit; its
/// own failure is its exit code.
Expected<CommandOutput> run_command(const Command& command);

}  // namespace forewarp::base
