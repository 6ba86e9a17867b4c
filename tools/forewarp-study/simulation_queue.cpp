// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "simulation_queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/file.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds pause(10);
constexpr std::chrono::seconds between_looks(1);

/// This process, unlike any other of the machines that share the queue.
std::string own_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return std::string(host.data()) + "-" + std::to_string(::getpid());
}

/// A file that is locked as long as its process lives.
class Lock {
 public:
  explicit Lock(const fs::path& file, int flags = O_RDWR | O_CREAT)
      : file_(::open(file.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)),
        held_(file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0) {}
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  [[nodiscard]] bool held() const { return held_; }

 private:
  int file_;
  bool held_;
};

bool lives(const fs::path& worker) {
  std::error_code ignored;
  return fs::exists(worker, ignored) && !Lock(worker, O_RDWR).held();
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

fs::path place_of_queues() {
  if (const char* own = std::getenv("FOREWARP_QUEUES")) return own;
  const char* const home = std::getenv("HOME");
  return fs::path(home == nullptr ? "/tmp" : home) / ".local/state/forewarp/queues";
}

}  // namespace

Expected<SimulationQueue> SimulationQueue::open(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  const bool is_path = name.find('/') != std::string::npos;
  if (name.empty() || (!plain && !is_path)) {
    return Diagnostic{"the queue '" + name + "'", "has no such name",
                      "letters, digits, '-' and '_', or a folder with a '/'", ""};
  }
  SimulationQueue queue(name, is_path ? fs::path(name) : place_of_queues() / name);
  std::error_code failure;
  for (const char* part : {"made", "waiting", "taken", "done", "workers"}) {
    fs::create_directories(queue.folder_ / part, failure);
    if (failure) {
      return Diagnostic{queue.folder_.string(), "cannot be made: " + failure.message(),
                        "a folder that can be written", "FOREWARP_QUEUES names another place"};
    }
  }
  fs::permissions(queue.folder_, fs::perms::owner_all, failure);  // of others as they were made
  return queue;
}

std::size_t SimulationQueue::workers() const {
  const auto files = files_in(folder_ / "workers");
  return static_cast<std::size_t>(std::count_if(files.begin(), files.end(), lives));
}

std::size_t SimulationQueue::waiting() const {
  return files_in(folder_ / "waiting").size();
}

/// Whole or not at all: it is made where nobody looks, also not at what write_file() has beside it.
bool SimulationQueue::put(const std::string& part, const std::string& run,
                          const std::string& text) const {
  const fs::path made = folder_ / "made" / run;
  std::error_code failure;
  if (!write_file(made, text)) return false;
  fs::rename(made, folder_ / part / run, failure);
  return !failure;
}

/// A taken run is called after its worker: "RUN@WORKER".
void SimulationQueue::give_back_of_dead() const {
  for (const fs::path& run : files_in(folder_ / "taken")) {
    const std::string name = run.filename().string();
    const std::size_t at = name.find('@');
    if (at == std::string::npos || lives(folder_ / "workers" / name.substr(at + 1))) continue;
    std::error_code ignored;
    fs::rename(run, folder_ / "waiting" / name.substr(0, at), ignored);
  }
}

std::optional<std::string> SimulationQueue::answer(const std::vector<std::string>& words,
                                                   const std::function<bool()>& stop) const {
  static std::atomic<std::uint64_t> numbers{0};
  const std::string run = own_name() + "-" + std::to_string(++numbers);
  const nlohmann::json order = {{"words", words}, {"folder", fs::current_path().string()}};
  std::error_code ignored;
  if (!put("waiting", run, order.dump())) return "the queue's folder takes no run";
  const fs::path done = folder_ / "done" / run;
  auto looked = Clock::now();
  while (!fs::exists(done, ignored)) {
    if (stop()) {
      fs::remove(folder_ / "waiting" / run, ignored);
      return std::nullopt;
    }
    if (Clock::now() - looked > between_looks) {
      give_back_of_dead();
      looked = Clock::now();
    }
    std::this_thread::sleep_for(pause);
  }
  const auto text = read_file(done.string());
  fs::remove(done, ignored);
  return text ? *text : text.error().line();
}

/// Two that reach for the same run: the file moves for one of them.
std::optional<fs::path> SimulationQueue::take(const std::string& worker) const {
  for (const fs::path& run : files_in(folder_ / "waiting")) {
    const fs::path taken = folder_ / "taken" / (run.filename().string() + "@" + worker);
    std::error_code failure;
    fs::rename(run, taken, failure);
    if (!failure) return taken;
  }
  return std::nullopt;
}

Expected<std::size_t> SimulationQueue::work(const Compute& compute, double idle_s,
                                            const std::function<bool()>& stop) const {
  const std::string worker = own_name();
  const fs::path own = folder_ / "workers" / worker;
  std::size_t count = 0;
  std::error_code ignored;
  {
    const Lock lock(own);
    if (!lock.held()) return Diagnostic{own.string(), "cannot be locked", "a file of its own", ""};
    auto busy = Clock::now();
    const std::chrono::duration<double> patience(idle_s);
    while (!stop() && (idle_s == 0 || Clock::now() - busy < patience)) {
      const auto taken = take(worker);
      if (!taken) {
        std::this_thread::sleep_for(pause);
        continue;
      }
      const std::string name = taken->filename().string();
      const auto text = read_file(taken->string());
      const auto order = nlohmann::json::parse(text ? *text : "", nullptr, false);
      std::string answer = "forewarp: the queue has a run that cannot be read";
      if (order.is_object() && order.contains("words") && order.contains("folder")) {
        fs::current_path(order["folder"].get<std::string>(), ignored);
        answer = compute(order["words"].get<std::vector<std::string>>());
      }
      put("done", name.substr(0, name.find('@')), answer);
      fs::remove(*taken, ignored);
      ++count;
      busy = Clock::now();
    }
  }
  fs::remove(own, ignored);
  return count;
}

}  // namespace forewarp::cli
