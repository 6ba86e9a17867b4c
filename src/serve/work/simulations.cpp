// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/simulations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/parts.h"
#include "serve/process/own_folder.h"

namespace forewarp::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds longest(300), longest_check(5);
constexpr std::size_t longest_output = std::size_t{64} << 20U;
constexpr std::size_t most_files = 16, longest_name = 64;

bool plain(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

/// All that the child writes; false: it was stopped, too slow, or wrote too much.
bool read_all(int file, std::string& text, std::chrono::seconds most,
              const std::atomic<bool>* stop) {
  const auto until = Clock::now() + most;
  std::array<char, 1 << 16> part;
  while (Clock::now() < until && text.size() < longest_output) {
    if (stop != nullptr && *stop) return false;
    pollfd waiting{file, POLLIN, 0};
    if (::poll(&waiting, 1, 50) <= 0) continue;
    const ssize_t count = ::read(file, part.data(), part.size());
    if (count <= 0) return true;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return false;
}

}  // namespace

Expected<void> check_simulation(const SimulationRequest& request) {
  if (request.files.size() > most_files) {
    return Diagnostic{"files", std::to_string(request.files.size()) + " files", "at most 16", ""};
  }
  for (const char* needed : {"system.toml", "application.lua"}) {
    if (!request.files.contains(needed)) {
      return Diagnostic{"files", std::string("'") + needed + "' is missing",
                        "system.toml, application.lua and what they name", ""};
    }
  }
  for (const auto& [name, values] : request.sweep) {
    if (values.find('/') == std::string::npos) continue;
    return Diagnostic{"sweep", "'" + values + "'", "values, or ids of hardware", ""};
  }
  for (const auto* names : {&request.files, &request.set, &request.sweep}) {
    for (const auto& [name, text] : *names) {
      if (plain(name)) continue;
      return Diagnostic{"files", "a name that is not plain", "letters, digits, _, - and dots", ""};
    }
  }
  return {};
}

Expected<Simulations::Said> Simulations::ask(const SimulationRequest& request,
                                             std::vector<std::string> words, const fs::path& folder,
                                             std::chrono::seconds most,
                                             const std::atomic<bool>* stop) const {
  for (const auto& [name, text] : request.files) {
    if (auto written = write_file(folder / name, text); !written) return written.error();
  }
  ChildOptions options = program_;
  if (!request.sweep.empty()) options.words.front() = suite_program_;
  options.words.insert(options.words.end(), {"simulate", "system.toml", "application.lua"});
  options.words.insert(options.words.end(), words.begin(), words.end());
  for (const auto& [name, value] : request.set) {
    options.words.insert(options.words.end(), {"--set", name + "=" + value});
  }
  options.environment = view_.environment;
  options.folder = folder.string();
  if (confine_) {
    View view = view_;
    view.written = folder.string();
    options = sandbox_.confined(std::move(options), view);
  }
  auto child = Child::start(options);
  if (!child) return child.error();
  child->close_input();
  Said said;
  if (!read_all(child->output(), said.text, most, stop)) {
    return Diagnostic{"the simulation", "was ended",
                      "at most " + std::to_string(most.count()) + " s and 64 MiB of output", ""};
  }
  said.how = child->end().text();
  return said;
}

Expected<std::string> Simulations::run(const SimulationRequest& request,
                                       const std::shared_ptr<const std::atomic<bool>>& stop) const {
  if (auto fine = check_simulation(request); !fine) return fine.error();
  const OwnFolder folder;
  const std::string trace = (folder.path() / "trace.json").string();
  if (!request.sweep.empty() && !fs::exists(suite_program_)) {
    return Diagnostic{"sweep", "forewarp-study was not built", "", build_all_parts};
  }
  std::vector<std::string> words{"--format", "json"};
  if (request.sweep.empty()) words.insert(words.end(), {"--trace", trace});
  for (const auto& [name, values] : request.sweep) {
    words.insert(words.end(), {"--sweep", name + "=" + values});
  }
  auto said = ask(request, std::move(words), folder.path(), longest, stop.get());
  if (!said) return std::move(said).error();
  auto outcome = Json::parse(said->text, nullptr, false);
  if (!request.sweep.empty() && outcome.is_array()) {
    Json names = Json::array();
    for (const auto& [name, values] : request.sweep) names.push_back(name);
    outcome = Json{{"schema", "forewarp.suite/1"}, {"names", names}, {"rows", std::move(outcome)}};
  }
  if (!outcome.is_object()) {
    const std::string line = said->text.substr(0, said->text.find('\n'));
    return Diagnostic{"the simulation", line.empty() ? "ended " + said->how : line, "", ""};
  }
  if (const auto read = read_file(trace)) {
    auto events = Json::parse(*read, nullptr, false);
    if (!events.is_discarded()) outcome["trace"] = std::move(events);
  }
  return outcome.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<std::string> Simulations::fault_of(const SimulationRequest& request) const {
  if (auto fine = check_simulation(request); !fine) return fine.error();
  const OwnFolder folder;
  auto said = ask(request, {"--check"}, folder.path(), longest_check, nullptr);
  if (!said) return std::move(said).error();
  return said->text.substr(0, said->text.find('\n'));
}

}  // namespace forewarp::serve
