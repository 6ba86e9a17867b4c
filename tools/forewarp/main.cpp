// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "command.h"
#include "signals.h"

namespace {

using forewarp::cli::Command;

constexpr int could_not = 1;

/// Commands of later milestones: the names are taken, the work is not done yet.
constexpr const char* reserved[] = {"sweep", "results", "characterise", "simulate", "serve"};

Command not_yet(const std::string& name) {
  Command command{name, "not built yet"};
  command.hidden = command.takes_anything = true;
  command.action = [name]() -> forewarp::cli::Expected<int> {
    return forewarp::cli::Diagnostic{
        "forewarp " + name, "is not built yet",
        "predict, explain, profile, trace, analyze, occupancy, gpu, gpus, link, "
        "compare, validate, tune, advise, evaluate, calibrate, runs, model, completion or version",
        ""};
  };
  return command;
}

Command version_command() {
  Command command{"version", "the version of this program"};
  command.action = [] {
    std::puts("forewarp " FOREWARP_VERSION);
    return forewarp::cli::Expected<int>(0);
  };
  return command;
}

Command program() {
  using namespace forewarp::cli;
  Command all{"", "Forewarp predicts how long a GPU kernel takes, and why, without running it."};
  all.commands = {predict_command(), explain_command(),   analyze_command(),   profile_command(),
                  trace_command(),   occupancy_command(), gpu_command(),       gpus_command(),
                  link_command(),    compare_command(),   validate_command(),  tune_command(),
                  advise_command(),  evaluate_command(),  calibrate_command(), runs_command(),
                  model_command(),   version_command(),   options_command()};
  all.commands.push_back(completion_command(all));
  for (const char* name : reserved) all.commands.push_back(not_yet(name));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    forewarp::cli::clean_up_at_signals();
    return forewarp::cli::run_command_line(program(), argc, argv);
  } catch (const std::system_error& fault) {
    std::fprintf(stderr, "forewarp: %s\n", fault.what());  // a full disk, a closed pipe
    return could_not;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "forewarp: internal fault: %s\n", fault.what());
    return could_not;
  }
}
