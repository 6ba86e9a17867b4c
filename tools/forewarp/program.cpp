// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "command.h"

namespace forewarp::cli {
namespace {

constexpr int could_not = 1;

Command version_command() {
  Command command{"version", "the version of this program"};
  command.action = [] {
    std::puts("forewarp " FOREWARP_VERSION);
    return Expected<int>(0);
  };
  return command;
}

}  // namespace

Command all_commands(StudyHost& host) {
  Command all{"", "Forewarp predicts how long a GPU kernel takes, and why, without running it."};
  all.commands = {
      predict_command(host), explain_command(host),  analyze_command(),     profile_command(),
      trace_command(),       occupancy_command(),    gpu_command(),         gpus_command(),
      link_command(),        collective_command(),   convert_command(),     parameters_command(),
      residency_command(),   compare_command(),      sweep_command(host),   validate_command(host),
      tune_command(host),    advise_command(),       results_command(host), evaluate_command(),
      calibrate_command(),   characterise_command(), runs_command(),        model_command(),
      version_command(),     options_command()};
  all.commands.insert(all.commands.end() - 2, simulate_command([&host](const SimulateAsked& asked) {
                        return host.simulate(asked);
                      }));
  all.commands.insert(all.commands.end() - 2, queue_command([&host](const QueueAsked& asked) {
                        return host.queue(asked);
                      }));
  all.commands.insert(all.commands.end() - 2, serve_command([&host](const ServeAsked& asked) {
                        return host.serve(asked);
                      }));
  all.commands.push_back(completion_command(all));
  return all;
}

int run_program(StudyHost& host, int argc, char** argv) {
  try {
    return run_command_line(all_commands(host), argc, argv);
  } catch (const std::system_error& fault) {
    std::fprintf(stderr, "forewarp: %s\n", fault.what());  // a full disk, a closed pipe
    return could_not;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "forewarp: internal fault: %s\n", fault.what());
    return could_not;
  }
}

}  // namespace forewarp::cli
