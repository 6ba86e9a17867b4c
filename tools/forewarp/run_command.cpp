// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "run_asked.h"

namespace forewarp::cli {

Command run_command(const std::function<Expected<int>(const RunAsked&)>& run) {
  auto asked = std::make_shared<RunAsked>();
  Command command{"run", "run a CUDA program without a GPU: its results, and the times of a board"};
  Flag gpus{"--gpu", &asked->gpus,
            "boards: the program runs on the first and is predicted for all"};
  gpus.comma = true;
  gpus.required = true;
  command.flags = {
      {.names = "PROGRAM",
       .target = &asked->program,
       .help = "the program and its arguments, behind --"},
      std::move(gpus),
      {"--execute",
       &asked->execute,
       "which launches are executed: auto (default: all, up to the budget), all, sample",
       {"auto", "all", "sample"}},
      {"--budget", &asked->budget, "seconds of counted work on one core that auto executes (600)"},
      {"--clock",
       &asked->clock,
       "virtual (default): the program's clocks follow the predicted time; real",
       {"virtual", "real"}},
      {"--host-factor", &asked->host_factor, "times the host time between calls (1)"},
      {"--host", &asked->host, "the host of the board (docs/hosts.md)"},
      {"--devices", &asked->devices, "boards that the program sees (1)"},
      {"--format",
       &asked->format,
       "of the report: text (default), json, html",
       {"text", "json", "html"}},
      {"-o,--output", &asked->output, "file for the report instead of standard error"},
      {"--timeline", &asked->timeline, "file for a timeline (ui.perfetto.dev, chrome://tracing)"},
      {"--record", &asked->record,
       "folder that keeps launches with contents: forewarp explain FOLDER --launch 17"},
      {"--select", &asked->select,
       "launches that are predicted, the others are only executed: 'kernel~PATTERN', kernel=NAME"},
      {"--skip", &asked->skip, "of the selected launches, so many are left out at first"},
      {"--launches", &asked->launches, "at most so many launches are predicted"},
      {"--build", &asked->build, "command that builds the program first, with a shared runtime"},
      {"--limit", &asked->limit_s, "seconds after which the program is ended"},
      {"-j,--jobs", &asked->jobs, "threads that execute; default: one per core"},
      {"--cuda", &asked->toolkit, "folder of a CUDA toolkit"},
      {"--assume-isa", &asked->assume_isa,
       "run code of another architecture as if it were the board's"},
      {"--again", &asked->again, "execute also launches that would write the same as before"},
      {"-q,--quiet", &asked->quiet, "no report unless -o names a file"}};
  command.action = [asked, run] { return run(*asked); };
  return command;
}

}  // namespace forewarp::cli
