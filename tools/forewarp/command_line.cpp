// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/threads.h"
#include "compiler_words.h"
#include "request/text/count_text.h"

namespace forewarp::cli {
namespace {

constexpr int could_not = 1;
constexpr int wrong_use = 2;

/// A command of the description as the parser knows it.
struct Entry {
  CLI::App* app = nullptr;
  const Command* command = nullptr;
};

/// What the check for numbers above 0 lets through.
std::string refuse_endless(const std::string& text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number) ? "" : "Number is not finite: " + text;
}

/// What the check for whole numbers lets through; the table's row knows the range.
std::string refuse_no_count(const std::string& text) {
  return parse_count(text) ? "" : "'" + text + "' is no whole number";
}

/// Options of the table stay texts; the parser only refuses what is no number.
CLI::Option* add_given(CLI::App& app, const Flag& flag, const GivenTexts& given) {
  std::vector<std::string>* texts = given.texts;
  const auto keep = [texts](const std::string& text) { *texts = {text}; };
  switch (given.row->kind) {
    case OptionKind::flag:
      return app.add_flag_callback(
          flag.names, [texts] { *texts = {"true"}; }, flag.help);
    case OptionKind::natural:
      return app.add_option_function<std::string>(flag.names, keep, flag.help)
          ->check(refuse_no_count)
          ->type_name("UINT");
    case OptionKind::positive: {
      const auto number = [texts](const double& value) { *texts = {significant(value, 17)}; };
      return app.add_option_function<double>(flag.names, number, flag.help)
          ->check(CLI::PositiveNumber)
          ->check(refuse_endless);
    }
    case OptionKind::text:
    case OptionKind::sizes:
      return app.add_option_function<std::string>(flag.names, keep, flag.help);
    default:
      return app.add_option(flag.names, *texts, flag.help);
  }
}

CLI::Option* add_target(CLI::App& app, const Flag& flag) {
  return std::visit(
      [&](auto target) -> CLI::Option* {
        using Kind = decltype(target);
        if constexpr (std::is_same_v<Kind, GivenTexts>) {
          return add_given(app, flag, target);
        } else if constexpr (std::is_same_v<Kind, bool*>) {
          return app.add_flag(flag.names, *target, flag.help);
        } else {
          return app.add_option(flag.names, *target, flag.help);
        }
      },
      flag.target);
}

void add_flag(CLI::App& app, const Flag& flag) {
  CLI::Option* option = add_target(app, flag);
  if (flag.required) option->required();
  // With its values behind commas it takes one word: a -- behind it is not its end but the
  // program's.
  if (flag.comma) option->delimiter(',')->allow_extra_args(!flag.names.starts_with('-'));
  if (flag.hidden) option->group("");
  if (!flag.one_of.empty()) option->check(CLI::IsMember(flag.one_of));
  if (flag.range) option->check(CLI::Range(flag.range->first, flag.range->second));
  if (!flag.type_name.empty()) option->type_name(flag.type_name);
  if (!flag.excludes.empty()) option->excludes(app.get_option(flag.excludes));
}

/// Whether the words can lead to this command: options of all the others need not be set up, which
/// would take a fifth of an answer that is known. The help of every command needs all.
bool is_asked(const Command& command, const std::vector<std::string>& words) {
  const auto given = [&](const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  return given(command.name) || given("--help-all");
}

void fill(CLI::App& app, const Command& command, const std::vector<std::string>& words,
          std::vector<Entry>& entries) {
  entries.push_back({&app, &command});
  for (const Flag& flag : command.flags) add_flag(app, flag);
  if (command.takes_anything) app.allow_extras();
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& inner : command.commands) {
    CLI::App* added = app.add_subcommand(inner.name, inner.sentence);
    if (inner.hidden) {
      added->group("");
    } else if (!inner.heading.empty()) {
      added->group(inner.heading);
    }
    if (is_asked(inner, words)) fill(*added, inner, words, entries);
  }
}

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

/// In front of where the help stands.
void offer_closest(const std::string& word, const std::vector<std::string>& names,
                   Diagnostic& refusal) {
  const auto nearest = closest(word, names);
  if (nearest && !word.empty())
    refusal.way_out = "did you mean '" + *nearest + "'? " + refusal.way_out;
}

/// What the parser refused, as the one line that every other refusal has: where, what was found,
/// which options or commands there are, and whose help says more.
Diagnostic usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const Reached reached = innermost(app);
  const std::string command = reached.name.empty() ? "forewarp" : "forewarp " + reached.name;
  Diagnostic refusal{reached.name, error.what(), "", "see '" + command + " --help'"};
  const std::vector<std::string> commands = commands_of(*reached.app);
  const std::string word = unexpected_word(app);
  if (word.starts_with('-')) {
    refusal.found = word + " is no option";
    const std::vector<std::string> options = options_of(*reached.app);
    refusal.expected = join(options, ", ");
    offer_closest(word.substr(0, word.find('=')), options, refusal);
  } else if (!commands.empty()) {
    refusal.found = word.empty() ? "no command was given" : "'" + word + "' is no command";
    refusal.expected = join(commands, ", ");
    offer_closest(word, commands, refusal);
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

/// The word as a shell reads it back.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "+,-./:=@_";
  const bool safe = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || plain.find(c) != plain.npos;
  });
  if (safe) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + '\'';
}

/// The command with the arguments that a refusal asks for, to copy; empty if it asks for none.
std::string completed_command(const Diagnostic& refusal, const std::vector<std::string>& words) {
  if (refusal.missing.empty()) return "";
  std::string command = "forewarp";
  for (const std::string& word : words) command += ' ' + shell_word(word);
  for (const std::string& word : refusal.missing) command += ' ' + shell_word(word);
  return command;
}

/// A line for each option that is missing, and the whole command to copy.
int say_missing(const Command& command, const std::vector<MissingOption>& missing,
                const std::vector<std::string>& words) {
  std::size_t width = 0;
  for (const MissingOption& one : missing) width = std::max(width, one.option.size());
  const std::string count =
      missing.size() == 1 ? "1 thing is" : std::to_string(missing.size()) + " things are";
  std::string text = "forewarp: " + command.name + ": " + count + " missing\n";
  std::string whole = "forewarp";
  for (const std::string& word : words) whole += ' ' + shell_word(word);
  for (const MissingOption& one : missing) {
    text +=
        "  " + one.option + std::string(width - one.option.size() + 2, ' ') + one.meaning + '\n';
    whole += ' ' + one.option;
  }
  std::fprintf(stderr, "%s%s\n", text.c_str(), whole.c_str());
  return could_not;
}

int answer(const Command& command, const std::vector<std::string>& words) {
  if (command.lacks) {
    if (const auto missing = command.lacks(); !missing.empty()) {
      return say_missing(command, missing, words);
    }
  }
  const Expected<int> code = command.action();
  if (code) return *code;
  std::fprintf(stderr, "forewarp: %s\n", code.error().line().c_str());
  const std::string whole = completed_command(code.error(), words);
  if (!whole.empty()) std::fprintf(stderr, "%s\n", whole.c_str());
  return could_not;
}

}  // namespace

int run_command_line(Command program, int argc, char** argv) {
  CLI::App app{program.sentence};
  app.set_help_all_flag("--help-all", "help of every command");
  app.set_version_flag("--version", "forewarp " FOREWARP_VERSION);
  std::vector<Entry> entries;
  const std::vector<std::string> given{argv + std::min(argc, 1), argv + argc};
  std::vector<std::string> words = with_compiler_words(given);
  fill(app, program, words, entries);
  try {
    std::reverse(words.begin(), words.end());  // as the parser takes them
    app.name(argc > 0 ? argv[0] : "forewarp");
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "forewarp: %s\n", usage_error(app, error).line().c_str());
    return wrong_use;
  }
  for (const Entry& entry : entries) {
    if (entry.command->action && entry.app->parsed()) {
      return base::with_usual_stack([&] { return answer(*entry.command, given); });
    }
  }
  return wrong_use;
}

}  // namespace forewarp::cli
