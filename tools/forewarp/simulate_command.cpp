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
       .help = "its script (.lua), or a trace: Nsight Systems (.sqlite, .csv), Chrome (.json)",
       .required = true},
      {"--set", &asked->set, "NAME=VALUE: a variable of the application"},
      {"--processes", &asked->processes, "LABEL=N: how many run; default: all places"},
      {"--change", &asked->change,
       "NAME.KEY=VALUE in the system's file: gpu.hardware=a100-pcie-40"},
      {"--format",
       &asked->format,
       "text (default), json; of a suite also csv, jsonl",
       {"text", "json", "csv", "jsonl"}},
      {"-o,--output", &asked->output, "file instead of standard output"},
      {"--trace", &asked->trace,
       "file for the timeline, for Perfetto and chrome://tracing; .svg: a picture; .paje"},
      {"--kernels", &asked->kernels,
       "cases (.jsonl) of a trace's kernels, by name: predicted, not "
       "as measured"},
      {"--lua", &asked->lua, "file for the script that a trace becomes"},
      {"--sweep", &asked->sweep,
       "NAME=A,B,C or NAME=FROM:TO:STEP: a run for each value; "
       "system.NAME.KEY for the system's file"},
      {"--store", &asked->store, "file that keeps a suite's runs (docs/results.md)"},
      {"--queue", &asked->queue, "workers of this queue compute a suite (forewarp queue)"},
      {"-j,--jobs", &asked->jobs, "runs of a suite at a time"},
      {"--again", &asked->again, "compute what the store has, too"},
      {"-q,--quiet", &asked->quiet, "no progress"},
      {"--check", &asked->check, "read both files and place the processes; nothing is simulated"},
      {"--beyond-memory", &asked->beyond_memory, "kernels may have more data than their GPU"},
      {"--no-interval", &asked->no_interval,
       "simulate once: leave out the ends of the intervals of what is predicted"},
      {"--most-instructions", &asked->instructions, "of all scripts together (300 million)"},
      {"--most-calls", &asked->calls, "of functions of sim, together (2 million)"}};
  command.action = [asked, simulate] { return simulate(*asked); };
  return command;
}

Command queue_command(const std::function<Expected<int>(const QueueAsked&)>& queue) {
  auto asked = std::make_shared<QueueAsked>();
  Command command{"queue", "workers that compute simulations of suites"};
  command.flags = {
      {.names = "WHAT",
       .target = &asked->what,
       .help = "work: take runs of the queue; list: what waits and who works",
       .one_of = {"work", "list"},
       .required = true},
      {.names = "NAME", .target = &asked->name, .help = "the queue's", .required = true},
      {"--idle", &asked->idle_s, "a worker ends after so many seconds without work"}};
  command.action = [asked, queue] { return queue(*asked); };
  return command;
}

}  // namespace forewarp::cli
