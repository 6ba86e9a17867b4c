// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "usage_error.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace forewarp::cli {
namespace {

/// The command that was being read, with the names that lead to it: "gpu list".
struct Reached {
  const CLI::App* app = nullptr;
  std::string name;
};

Reached innermost(const CLI::App& app) {
  Reached reached{&app, ""};
  for (auto inner = app.get_subcommands(); !inner.empty(); inner = reached.app->get_subcommands()) {
    reached.app = inner.back();
    if (!reached.name.empty()) reached.name += ' ';
    reached.name += reached.app->get_name();
  }
  return reached;
}

/// Commands that the help shows.
std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    const auto& words = option->get_lnames();
    if (!words.empty()) {
      names.push_back("--" + words.front());
    } else if (!option->get_snames().empty()) {
      names.push_back("-" + option->get_snames().front());
    }
  }
  return names;
}

/// The first word that nothing took; one that looks like an option before its value.
std::string unexpected_word(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option != words.end()) return *option;
  return words.empty() ? std::string() : words.front();
}

}  // namespace

Diagnostic usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const Reached reached = innermost(app);
  const std::string command = reached.name.empty() ? "forewarp" : "forewarp " + reached.name;
  Diagnostic refusal{reached.name, error.what(), "", "see '" + command + " --help'"};
  const std::vector<std::string> commands = commands_of(*reached.app);
  const std::string word = unexpected_word(app);
  if (word.starts_with('-')) {
    refusal.found = word + " is no option";
    refusal.expected = join(options_of(*reached.app), ", ");
  } else if (!commands.empty()) {
    refusal.found = word.empty() ? "no command was given" : "'" + word + "' is no command";
    refusal.expected = join(commands, ", ");
  } else if (!word.empty()) {
    refusal.found = "'" + word + "' stands where nothing more is expected";
  } else if (!refusal.found.empty()) {
    // A word of capitals is the name of an argument: FILES, INPUT.
    std::string& text = refusal.found;
    const bool name = text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) != 0;
    if (!name) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return refusal;
}

}  // namespace forewarp::cli
