// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"
#include "option_page.h"
#include "prediction_options.h"

namespace forewarp::cli {

Command options_command() {
  auto output = std::make_shared<std::string>();
  Command command{"options", "the table of a prediction's options, as docs/options.md"};
  command.hidden = true;
  command.flags = {{"-o,--output", output.get(), "file instead of standard output"}};
  command.action = [output]() -> Expected<int> {
    if (auto written = deliver(option_page(), *output); !written) return written.error();
    return 0;
  };
  return command;
}

}  // namespace forewarp::cli
