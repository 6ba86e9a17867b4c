// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/expected.h"
#include "request/options/option_row.h"

namespace forewarp::cli {

/// What a command does once its flags are read: the exit code (0 done, 1 could not) or the
/// diagnostic that stopped it.
using Action = std::function<Expected<int>()>;

/// The texts of an option of the table, as they were written; its row says what they may be.
struct GivenTexts {
  const OptionRow* row = nullptr;
  std::vector<std::string>* texts = nullptr;
};

/// Where a flag's value goes; what it points to lives as long as the command's action.
using Target =
    std::variant<bool*, std::string*, std::vector<std::string>*, std::int32_t*, std::uint32_t*,
                 std::int64_t*, std::uint64_t*, std::optional<std::uint32_t>*,
                 std::optional<std::uint64_t>*, GivenTexts>;

/// An option or an argument of a command.
struct Flag {
  std::string names;  ///< "-o,--output"; without dashes it is an argument: "INPUT"
  Target target;
  std::string help;
  std::vector<std::string> one_of{};  ///< the words that it may be; empty: any
  bool required = false;
  bool hidden = false;      ///< not in the help
  bool comma = false;       ///< one text may hold several values: a,b,c
  std::string excludes{};   ///< a flag of the command that may not stand beside it
  std::string type_name{};  ///< in the help, instead of TEXT
  std::optional<std::pair<int, int>> range{};  ///< of a whole number
};

struct Command {
  std::string name, sentence;
  std::vector<Flag> flags{};
  std::vector<Command> commands{};  ///< one of them has to be named; then there is no own action
  Action action{};
  bool hidden = false;          ///< not in the help
  bool takes_anything = false;  ///< what follows is not looked at
};

/// Reads the command line, runs what it names and returns the exit code: 0 done, 1 could not,
/// 2 wrong usage; a refusal is one line on standard error. `program` has the commands and the
/// sentence of the help; its name is empty.
int run_command_line(Command program, int argc, char** argv);

}  // namespace forewarp::cli
