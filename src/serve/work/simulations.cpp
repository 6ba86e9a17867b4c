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

namespace forewarp::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds longest(300);
constexpr std::size_t longest_output = std::size_t{64} << 20U;
constexpr std::size_t most_files = 16, longest_name = 64;

bool plain(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

/// A folder that is gone with this object.
class OwnFolder {
 public:
  OwnFolder() {
    std::string name = (fs::temp_directory_path() / "forewarp-serve-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// All that the child writes; false: it was stopped, too slow, or wrote too much.
bool read_all(int file, std::string& text, const std::atomic<bool>* stop) {
  const auto until = Clock::now() + longest;
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
  for (const auto* names : {&request.files, &request.set}) {
    for (const auto& [name, text] : *names) {
      if (plain(name)) continue;
      return Diagnostic{"files", "a name that is not plain", "letters, digits, _, - and dots", ""};
    }
  }
  return {};
}

Expected<std::string> Simulations::run(const SimulationRequest& request,
                                       const std::shared_ptr<const std::atomic<bool>>& stop) const {
  if (auto fine = check_simulation(request); !fine) return fine.error();
  const OwnFolder folder;
  for (const auto& [name, text] : request.files) {
    if (auto written = write_file(folder.path() / name, text); !written) return written.error();
  }
  ChildOrder order = program_;
  const std::string trace = (folder.path() / "trace.json").string();
  order.words.insert(order.words.end(), {"simulate", "system.toml", "application.lua", "--format",
                                         "json", "--trace", trace});
  for (const auto& [name, value] : request.set) {
    order.words.insert(order.words.end(), {"--set", name + "=" + value});
  }
  order.environment = view_.environment;
  order.folder = folder.path().string();
  if (confine_) {
    View view = view_;
    view.written = folder.path().string();
    order = sandbox_.confined(std::move(order), view);
  }
  auto child = Child::start(order);
  if (!child) return child.error();
  child->close_input();
  std::string text;
  if (!read_all(child->output(), text, stop.get())) {
    return Diagnostic{"the simulation", "was ended", "at most 300 s and 64 MiB of output", ""};
  }
  const std::string how = child->end();
  auto outcome = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!outcome.is_object()) {
    const std::string said = text.substr(0, text.find('\n'));
    return Diagnostic{"the simulation", said.empty() ? "ended " + how : said, "", ""};
  }
  if (const auto read = read_file(trace)) {
    auto events = nlohmann::ordered_json::parse(*read, nullptr, false);
    if (!events.is_discarded()) outcome["trace"] = std::move(events);
  }
  return outcome.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace forewarp::serve
