// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/heap.h"
#include "command.h"
#include "signals.h"

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

/// Commands that answer one kind of question, under its heading in the help.
template <class... Commands>
void add_group(Command& all, const std::string& heading, Commands... commands) {
  const auto add = [&](Command& command) {
    command.heading = heading;
    all.commands.push_back(std::move(command));
  };
  (add(commands), ...);
}

}  // namespace

Command all_commands(StudyHost& host) {
  Command all{"", "Forewarp predicts how long a GPU kernel takes, and why, without running it."};
  const auto simulate = [&host](const SimulateAsked& asked) { return host.simulate(asked); };
  const auto queue = [&host](const QueueAsked& asked) { return host.queue(asked); };
  const auto serve = [&host](const ServeAsked& asked) { return host.serve(asked); };
  add_group(all, "Predict", predict_command(host), sweep_command(host), occupancy_command());
  add_group(all, "Understand", explain_command(host), analyze_command(), profile_command(),
            trace_command(), model_command(), parameters_command(), residency_command(),
            stalls_command(), latencies_command());
  add_group(all, "Compare and tune", compare_command(), advise_command(), tune_command(host),
            gpus_command());
  add_group(all, "Boards", gpu_command(), convert_command(), link_command(), characterise_command(),
            calibrate_command());
  add_group(all, "Programs and systems",
            run_command([&host](const RunAsked& asked) { return host.run(asked); }),
            collective_command(), simulate_command(simulate), queue_command(queue));
  add_group(all, "Data", results_command(host), runs_command(), validate_command(host),
            evaluate_command(), serve_command(serve));
  add_group(all, "Forewarp itself", options_command(), version_command());
  add_group(all, "Forewarp itself", completion_command([&host] { return all_commands(host); }));
  return all;
}

void begin_program() {
  keep_freed_memory();
  use_large_pages();
  clean_up_at_signals();
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
