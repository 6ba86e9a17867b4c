// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "command.h"
#include "prediction_options.h"
#include "shell_texts.h"

namespace forewarp::cli {

Command completion_command(std::function<Command()> program) {
  auto shell = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>();
  Command command{"completion", "completion of this command line for a shell, or its manual page"};
  Flag which{"SHELL", shell.get(), "for whom"};
  which.one_of = {"bash", "zsh", "fish", "man"};
  which.required = true;
  command.flags = {which, {"-o,--output", output.get(), "file instead of standard output"}};
  command.action = [shell, output, program = std::move(program)]() -> Expected<int> {
    const Command shown = program();
    const std::string text = *shell == "bash"  ? bash_completion(shown)
                             : *shell == "zsh" ? zsh_completion(shown)
                             : *shell == "man" ? manual_page(shown)
                                               : fish_completion(shown);
    if (auto written = deliver(text, *output); !written) return written.error();
    return 0;
  };
  return command;
}

}  // namespace forewarp::cli
