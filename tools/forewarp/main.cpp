// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "command.h"
#include "signals.h"
#include "usage_error.h"

namespace {

constexpr int could_not = 1;
constexpr int wrong_use = 2;

struct Entry {
  CLI::App* app;
  forewarp::cli::Action action;
};

/// Commands of later milestones: the names are taken, the work is not done yet.
constexpr const char* reserved[] = {"tune",    "advise",       "sweep",    "gpus",
                                    "results", "characterise", "simulate", "serve"};

forewarp::cli::Action not_yet(const std::string& name) {
  return [name]() -> forewarp::cli::Expected<int> {
    return forewarp::cli::Diagnostic{
        "forewarp " + name, "is not built yet",
        "predict, explain, profile, trace, analyze, occupancy, gpu, link, "
        "compare, validate, evaluate, runs, model or version",
        ""};
  };
}

std::vector<Entry> add_commands(CLI::App& app) {
  using namespace forewarp::cli;
  std::vector<Entry> entries;
  const auto add = [&](const char* name, const char* sentence, Action (*fill)(CLI::App&)) {
    CLI::App* command = app.add_subcommand(name, sentence);
    entries.push_back({command, fill(*command)});
  };
  add("predict", "how long a kernel takes, and why", add_predict);
  add("explain", "the critical path on the annotated listing", add_explain);
  add("analyze", "what a listing says without any GPU: loops, mix, registers", add_analyze);
  add("profile", "what the warps of a launch do: the kernel is executed, no model", add_profile);
  add("trace", "every warp's instructions and addresses, written to a folder", add_trace);
  add("occupancy", "resident blocks and warps, their limiter, and curves", add_occupancy);
  add("gpu", "the GPU database: list, show, check, access", add_gpu);
  add("link", "links to the host: list, show, check, time of copies", add_link);
  add("compare", "two kernels, launches or GPUs: what changes, and why", add_compare);
  add("validate", "how wrong predictions are, on data that others measured", add_validate);
  add("evaluate", "models side by side on synthetic workloads", add_evaluate);
  add("calibrate", "lambda, bandwidth and contention from measured runs", add_calibrate);
  add("runs", "many runs of one thing: extremes, clusters, coverage of a bound", add_runs);
  add("model", "the models: list, show, calc", add_model);
  CLI::App* version = app.add_subcommand("version", "the version of this program");
  entries.push_back({version, [] {
                       std::puts("forewarp " FOREWARP_VERSION);
                       return forewarp::cli::Expected<int>(0);
                     }});
  for (const char* name : reserved) {
    CLI::App* command = app.add_subcommand(name, "not built yet")->group("");
    command->allow_extras();
    entries.push_back({command, not_yet(name)});
  }
  return entries;
}

int run(int argc, char** argv) {
  CLI::App app{"Forewarp predicts how long a GPU kernel takes, and why, without running it."};
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "help of every command");
  app.set_version_flag("--version", "forewarp " FOREWARP_VERSION);
  const std::vector<Entry> entries = add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "forewarp: %s\n", forewarp::cli::usage_error(app, error).line().c_str());
    return wrong_use;
  }
  for (const Entry& entry : entries) {
    if (!entry.app->parsed()) continue;
    const forewarp::cli::Expected<int> code = entry.action();
    if (code) return *code;
    std::fprintf(stderr, "forewarp: %s\n", code.error().line().c_str());
    return could_not;
  }
  return wrong_use;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    forewarp::cli::clean_up_at_signals();
    return run(argc, argv);
  } catch (const std::system_error& fault) {
    std::fprintf(stderr, "forewarp: %s\n", fault.what());  // a full disk, a closed pipe
    return could_not;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "forewarp: internal fault: %s\n", fault.what());
    return could_not;
  }
}
