// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store_host.h"

#include <algorithm>
#include <utility>

#include "base/cache/content_key.h"
#include "base/text.h"
#include "kept_points.h"
#include "results_views.h"
#include "stored_cases.h"
#include "stored_sweep.h"
#include "suite.h"
#include "sweep/points/thread_runner.h"

namespace forewarp::cli {
namespace {

/// Words that change no point: with the number of words that they are.
constexpr std::pair<std::string_view, int> unheard[] = {
    {"--store", 2}, {"--output", 2}, {"-o", 2},     {"--format", 2},   {"--jobs", 2},
    {"-j", 2},      {"--quiet", 1},  {"-q", 1},     {"--progress", 1}, {"--again", 1},
    {"--queue", 2}, {"--top", 2},    {"--next", 2}, {"--measured", 2}};

int words_unheard(const std::string& word) {
  for (const auto& [name, count] : unheard) {
    if (word == name) return count;
    if (count == 2 && name.size() > 2 && word.starts_with(std::string(name) + '=')) return 1;
    if (count == 2 && name.size() == 2 && word.size() > 2 && word.starts_with(name)) return 1;
  }
  return 0;
}

}  // namespace

std::string run_words(const std::vector<std::string>& words) {
  std::vector<std::string> heard;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int count = words_unheard(words[i]);
    if (count == 0) heard.push_back(words[i]);
    if (count == 2) ++i;
  }
  return join(heard, "\n");
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text = "forewarp";
  for (const std::string& word : words) {
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$&;|<>()*?[]#~`!{}") == std::string::npos;
    text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

StoreHost::StoreHost(std::vector<std::string> words, std::unique_ptr<Channel> channel)
    : words_(std::move(words)), channel_(std::move(channel)) {
  if (channel_) ranks_ = std::make_unique<RankRunner>(*channel_);
}

Expected<RunStart> StoreHost::start(const KeepOptions& order) const {
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  RunStart start;
  start.kind = order.kind;
  start.program = program_key(database->directory());
  start.key = content_key(order.kind + '\n' + start.program + '\n' + run_words(words_));
  start.command = command_text(words_);
  start.tool_version = FOREWARP_VERSION;
  start.processes = channel_ ? static_cast<unsigned>(channel_->count()) : 1;
  start.again = order.again;
  return start;
}

Expected<int> StoreHost::sweep(Predictor& predictor, const Asked& asked) {
  const auto run = start({"sweep", asked.delivery.store, asked.delivery.again});
  if (!run) return run.error();
  ThreadRunner threads(asked.delivery.jobs);
  PointRunner& runner = ranks_ ? static_cast<PointRunner&>(*ranks_) : threads;
  const auto kept = stored_sweep(predictor, asked, *run, runner);
  if (!kept) return kept.error();
  const Delivery& delivery = asked.delivery;
  if (!answers() || (delivery.format.empty() && delivery.output.empty())) return kept->code;
  ResultsOptions order;
  order.what = delivery.format == "text" ? "show" : "export";
  order.store = delivery.store;
  order.runs = {kept->run};
  order.format = delivery.format;
  order.output = delivery.output;
  const auto exported = results(order);
  return exported ? Expected<int>(std::max(kept->code, *exported)) : exported;
}

Expected<int> StoreHost::cases(const Asked& asked,
                               const std::function<Result(const Case&)>& answer) {
  const auto run = start({"cases", asked.delivery.store, asked.delivery.again});
  if (!run) return run.error();
  ThreadRunner threads(asked.delivery.jobs);
  return stored_cases(asked, *run, answer, ranks_ ? static_cast<PointRunner&>(*ranks_) : threads);
}

Expected<std::unique_ptr<PointKeeper>> StoreHost::keeper(Predictor& predictor,
                                                         const KeepOptions& order) {
  if (!answers()) return silent_keeper();
  const auto run = start(order);
  if (!run) return run.error();
  return stored_keeper(predictor, order.store, *run);
}

Expected<int> StoreHost::simulate(const SimulateAsked& asked) {
  if (!asked.is_suite()) {
    return Diagnostic{"forewarp-study", "simulates suites alone", "--sweep NAME=VALUES",
                      "forewarp simulate does one run"};
  }
  const auto run = start({"simulate", asked.store, asked.again});
  if (!run) return run.error();
  constexpr unsigned in_queue = 64;  // runs that wait at a time
  ThreadRunner threads(asked.queue.empty() ? asked.jobs : in_queue);
  return run_suite(asked, *run, ranks_ ? static_cast<PointRunner&>(*ranks_) : threads);
}

Expected<int> StoreHost::queue(const QueueAsked& asked) {
  return work_queue(asked);
}

Expected<int> StoreHost::run(const RunAsked& /*asked*/) {
  return Diagnostic{"forewarp-study", "does not start programs", "forewarp run", ""};
}

Expected<int> StoreHost::serve(const ServeAsked& /*asked*/) {
  return Diagnostic{"forewarp-study", "does not serve", "forewarp serve", ""};
}

Expected<int> StoreHost::results(const ResultsOptions& order) {
  return answers() ? show_results(order) : Expected<int>(0);
}

}  // namespace forewarp::cli
