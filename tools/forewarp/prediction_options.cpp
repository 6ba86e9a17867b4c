// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/text.h"
#include "report/documents/report.h"
#include "request/argument_text.h"
#include "request/copy_request.h"
#include "request/launch_file.h"
#include "request/option_text.h"
#include "request/tables/calibration_file.h"

namespace forewarp::cli {
namespace {

constexpr int widest_text = 140;

/// Parses every text of a list into a container of results; the first refusal ends it.
template <typename Parse, typename Store>
Expected<void> each(const std::vector<std::string>& texts, Parse parse, Store store) {
  for (const std::string& text : texts) {
    auto value = parse(text);
    if (!value) return std::move(value).error();
    store(std::move(*value));
  }
  return {};
}

Expected<std::pair<std::string, std::string>> parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Diagnostic{"--option", "'" + text + "'", "MODEL.NAME=VALUE",
                      "see 'forewarp model show'"};
  }
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

std::string view_names() {
  std::vector<std::string> names;
  for (ReportChoice& view : report_views()) names.push_back(std::move(view.name));
  return join(names, ", ");
}

/// Command-line arguments replace those of the launch file by name or index.
void merge(std::vector<NamedArgument>& into, std::vector<NamedArgument> from) {
  for (NamedArgument& argument : from) into.push_back(std::move(argument));
}

/// hw.PATH and link.PATH; what is neither is refused with the form of the first.
Expected<void> add_overrides(const std::vector<std::string>& texts, PredictOptions& choices) {
  for (const std::string& text : texts) {
    const bool of_link = text.starts_with("link.");
    auto change = of_link ? parse_link_override(text) : parse_override(text);
    if (!change) return std::move(change).error();
    (of_link ? choices.link_overrides : choices.overrides).push_back(*std::move(change));
  }
  return {};
}

}  // namespace

void PredictionOptions::declare(CLI::App& app) {
  app.add_option("INPUT", input,
                 "SASS listing, .cubin, fatbin, executable, .ptx or .cu; - is standard input");
  app.add_option("--gpu", gpus, "GPU ids, names or files")->delimiter(',');
  app.add_option("--kernel", kernel, "plain or mangled name, when the input has several");
  app.add_option("--grid", grid, "blocks: X[,Y[,Z]]");
  app.add_option("--block", block, "threads per block: X[,Y[,Z]]");
  app.add_option("--threads", threads, "total threads in x: the grid follows the block");
  app.add_option("--smem", dynamic_shared, "dynamic shared memory per block, bytes");
  app.add_option("--arg", arguments, "NAME=V or INDEX=V; buffer:BYTES[:CONTENT]");
  app.add_option("--constant", constants, "SYMBOL=buffer:BYTES[:CONTENT]");
  app.add_option("--launch", launch, "a launch file (TOML); options win over it");
  app.add_option("--cases", cases, "many cases: one JSON object per line; - is standard input");
  app.add_option("--model", models, "models, all or auto (default)")->delimiter(',');
  app.add_option("--option", options, "MODEL.NAME=VALUE, a model's own option");
  app.add_option("--set", overrides,
                 "hw.PATH=VALUE, link.PATH=VALUE: what if this number were another");
  app.add_option("--copy", copies,
                 "h2d|d2h:BYTES[:pageable|pinned], same=ARG for BYTES: part of --timing host");
  app.add_option("--link", link, "what copies go over, instead of the GPU's own host link");
  app.add_option("--calibration", calibration, "a file of `forewarp calibrate`");
  app.add_option("--sweep", sweeps, "NAME=FROM:TO:STEP or NAME=a,b,c");
  app.add_option("--clock", clock, "MHz, base, boost, load or sustained (default)");
  app.add_option("--timing", timing, "device (default), event, stream, graph or host");
  app.add_flag("--cold", cold, "caches are cold (default)");
  app.add_flag("--warm", warm, "the same launch ran before");
  app.add_option("--trip", trips, "ADDRESS=N: passes of the loop that begins there");
  app.add_option("--assume-branch", branches, "ADDRESS=P: share of warps that take this branch");
  app.add_flag("--assume-isa", assume_isa, "code of another architecture as if it ran there");
  app.add_option("--regs", registers, "registers per thread, instead of the listing's");
  app.add_option("--sample", sample, "auto, all or a number of blocks");
  app.add_option("--budget", budget,
                 "seconds of counted work that a prediction may take, 0.5 unless stated; with less "
                 "auto does not simulate")
      ->check(CLI::PositiveNumber);
  app.add_flag("--fast", fast, "auto takes formulas only, whatever the budget");
  app.add_flag("--no-cache", no_cache, "execute also what a process has seen before");
  app.add_flag("--exact", exact, "no shortcuts");
  app.add_flag("--wcet", worst_case, "an upper bound too (Fermi, one block; docs/wcet.md)");
  app.add_flag("--static", analyse_only, "execute nothing: counts from the analysis alone");
  app.add_option("--format", format, "text (default), markdown, json, jsonl, csv, html, number");
  app.add_option("--view", views, "views of a report: " + view_names())->delimiter(',');
  app.add_option("-o,--output", output, "file instead of standard output");
  app.add_option("-j,--jobs", jobs, "threads");
  app.add_option("--cuda", toolkit, "folder of the CUDA toolkit to use");
  app.add_flag("-q,--quiet", quiet, "no progress");
}

Expected<Case> PredictionOptions::request() const {
  Case request;
  if (!launch.empty()) {
    auto file = read_launch_file(launch);
    if (!file) return file;
    request = std::move(*file);
  }
  request.input = input;
  if (!kernel.empty()) request.kernel = kernel;
  if (!grid.empty()) {
    const auto extent = parse_extent(grid, "--grid");
    if (!extent) return extent.error();
    request.launch.grid = *extent;
  }
  if (!block.empty()) {
    const auto extent = parse_extent(block, "--block");
    if (!extent) return extent.error();
    request.launch.block = *extent;
  }
  if (has_dynamic_shared || dynamic_shared != 0) request.launch.dynamic_shared = dynamic_shared;
  for (const std::string& text : copies) {
    auto copy = parse_copy(text);
    if (!copy) return std::move(copy).error();
    request.copies.push_back(*std::move(copy));
  }
  std::vector<NamedArgument> given;
  const auto keep = [&](NamedArgument argument) { given.push_back(std::move(argument)); };
  if (auto ok = each(
          arguments, [](const auto& t) { return parse_argument(t); }, keep);
      !ok) {
    return ok.error();
  }
  merge(request.launch.arguments, std::move(given));
  given.clear();
  if (auto ok = each(
          constants, [](const auto& t) { return parse_argument(t, "--constant"); }, keep);
      !ok) {
    return ok.error();
  }
  merge(request.launch.constants, std::move(given));
  return request;
}

Expected<PredictOptions> PredictionOptions::choices() const {
  PredictOptions choices;
  choices.gpus = gpus;
  choices.link = link;
  choices.models = models;
  choices.assume_isa = assume_isa;
  choices.exact = exact;
  choices.worst_case = worst_case;
  choices.execute = !analyse_only;
  choices.toolkit = toolkit;
  // Cases are predicted side by side; a single launch may use every core for itself.
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  choices.jobs = !cases.empty() ? 1 : jobs > 0 ? jobs : cores;
  if (!calibration.empty()) {
    auto read = read_calibration(calibration);
    if (!read) return std::move(read).error();
    choices.calibration = std::move(*read);
  }
  if (!std::isfinite(budget)) return Diagnostic{"--budget", "is no number", "seconds", ""};
  if (budget > 0) choices.budget_seconds = budget;
  choices.fast = fast;
  choices.cache = !no_cache;
  if (registers > 0) choices.registers = registers;
  if (threads > 0) choices.threads = threads;
  if (cold && warm) return Diagnostic{"--cold", "stands beside --warm", "one of the two", ""};
  if (cold) choices.repeat = Repeat::cold;
  if (warm) choices.repeat = Repeat::warm;
  if (!clock.empty()) {
    const auto value = parse_clock(clock);
    if (!value) return value.error();
    choices.clock = *value;
  }
  if (!timing.empty()) {
    const auto value = parse_timing(timing);
    if (!value) return value.error();
    choices.timing = *value;
  }
  if (!sample.empty()) {
    const auto value = parse_sample(sample);
    if (!value) return value.error();
    choices.sample = *value;
  }
  const Expected<void> steps[] = {
      each(options, parse_assignment,
           [&](auto v) { choices.model_options.push_back(std::move(v)); }),
      add_overrides(overrides, choices),
      each(
          trips, [](const auto& t) { return parse_trip(t); },
          [&](auto v) { choices.trips.insert(v); }),
      each(
          branches, [](const auto& t) { return parse_branch_probability(t); },
          [&](auto v) { choices.branch_probabilities.insert(v); })};
  for (const auto& step : steps) {
    if (!step) return step.error();
  }
  return choices;
}

TextStyle terminal_style() {
  TextStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  style.colour = terminal && std::getenv("NO_COLOR") == nullptr;
  struct winsize size {};
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 40) {
    style.width = std::min<int>(size.ws_col, widest_text);
  }
  return style;
}

Expected<void> deliver(const std::string& text, const std::string& output) {
  if (!output.empty()) return write_file(output, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return Diagnostic{"standard output", "cannot be written", "", ""};
  }
  return {};
}

}  // namespace forewarp::cli
