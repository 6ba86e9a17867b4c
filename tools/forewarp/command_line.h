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

/// Runs a command after its flags are read: returns the exit code (0 done, 1 failed) or the
/// diagnostic that stopped it.
using Action = std::function<Expected<int>()>;

/// The texts of an option of the table, as written; its row says what they may be.
struct GivenTexts {
  const OptionRow* row = nullptr;
  std::vector<std::string>* texts = nullptr;
};

/// Where a flag's value is stored; it must live as long as the command's action.
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
  std::string excludes{};   ///< a flag of the command that it may not be used with
  std::string type_name{};  ///< in the help, instead of TEXT
  std::optional<std::pair<int, int>> range{};  ///< accepted whole numbers
};

/// An option with a word in place of its value, as "--grid BLOCKS", and what it says.
struct MissingOption {
  std::string option, meaning;
};

struct Command {
  std::string name, sentence;
  std::vector<Flag> flags{};
  std::vector<Command> commands{};  ///< one of them has to be named; then there is no own action
  Action action{};
  /// What the action would lack: then it is not run, and a line says each.
  std::function<std::vector<MissingOption>()> lacks{};
  bool hidden = false;          ///< not in the help
  bool takes_anything = false;  ///< what follows is not parsed
  std::string heading{};        ///< in the help, above commands of one kind; empty: none
};

/// Reads the command line, runs the command and returns the exit code: 0 done, 1 failed, 2 wrong
/// usage; a refusal is one line on standard error. `program` has the commands and the sentence of
/// the help; its name is empty.
int run_command_line(Command program, int argc, char** argv);

}  // namespace forewarp::cli
