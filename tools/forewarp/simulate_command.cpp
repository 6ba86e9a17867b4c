// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "simulate_asked.h"

namespace forewarp::cli {

Command simulate_command(const std::function<Expected<int>(const SimulateAsked&)>& simulate) {
  auto asked = std::make_shared<SimulateAsked>();
  Command command{"simulate", "how long an application takes on a system of CPUs and GPUs"};
  command.flags = {
      {.names = "SYSTEM",
       .target = &asked->system,
       .help = "the system's file (.toml)",
       .required = true},
      {.names = "APPLICATION",
       .target = &asked->application,
       .help = "the application's script (.lua)",
       .required = true},
      {"--set", &asked->set, "NAME=VALUE: a variable of the application"},
      {"--processes", &asked->processes, "LABEL=N: how many run; default: all places"},
      {"--format", &asked->format, "text (default), json", {"text", "json"}},
      {"-o,--output", &asked->output, "file instead of standard output"},
      {"--trace", &asked->trace, "file for the timeline, as chrome://tracing and Perfetto read it"},
      {"--beyond-memory", &asked->beyond_memory, "kernels may have more data than their GPU"},
      {"--most-instructions", &asked->instructions, "of all scripts together (300 million)"},
      {"--most-calls", &asked->calls, "of functions of sim, together (2 million)"}};
  command.action = [asked, simulate] { return simulate(*asked); };
  return command;
}

}  // namespace forewarp::cli
