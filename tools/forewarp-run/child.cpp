// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

namespace forewarp::cli {
namespace {

constexpr int by_signal = 128;
constexpr int not_started = 127;

volatile std::sig_atomic_t child = 0;     // to which signals go on; 0: none
volatile std::sig_atomic_t received = 0;  // the last one

/// What comes from the system, as Ctrl-C of the terminal, reaches the program by itself.
void pass_on(int signal, siginfo_t* info, void* /*context*/) {
  received = signal;
  if (child != 0 && info->si_code <= 0) ::kill(static_cast<pid_t>(child), signal);
}

void take_signals() {
  received = 0;
  struct sigaction taken {};
  taken.sa_sigaction = pass_on;
  taken.sa_flags = SA_RESTART | SA_SIGINFO;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    // Whoever started us wants it ignored, as nohup does: the program inherits that.
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &taken, nullptr);
  }
}

/// Parent of every process that has not ended, from /proc.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), process).ec != std::errc())
      continue;
    const auto text = read_file(entry.path() / "stat");
    // "pid (name) state parent ..": the name may have spaces and parentheses.
    const std::size_t end = text ? text->rfind(')') : std::string::npos;
    if (end == std::string::npos || end + 4 >= text->size()) continue;
    if ((*text)[end + 2] == 'Z') continue;
    pid_t parent = 0;
    std::from_chars(text->data() + end + 4, text->data() + text->size(), parent);
    all[process] = parent;
  }
  return all;
}

/// Sends a signal to all processes that this one started, and those that they started. False: there
/// is none.
bool signal_descendants(int signal) {
  const auto all = parents();
  bool any = false;
  for (const auto& [process, parent] : all) {
    pid_t at = parent;
    while (at != ::getpid() && all.contains(at)) at = all.at(at);
    if (at != ::getpid()) continue;
    any = true;
    ::kill(process, signal);
  }
  return any;
}

/// Ends all descendants: at SIGTERM programs leave what they have, and SIGKILL follows.
class Ending {
 public:
  [[nodiscard]] bool has_begun() const { return begin_.has_value(); }
  /// To be called again and again while it returns true: some are left.
  bool go_on() {
    constexpr std::chrono::seconds grace(1);
    if (!has_begun()) {
      begin_ = Clock::now();
      return signal_descendants(SIGTERM);
    }
    const auto passed = Clock::now() - *begin_;
    // Not for ever: a process may hang within the system.
    return signal_descendants(passed < grace ? 0 : SIGKILL) && passed < 2 * grace;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> begin_;
};

/// The child's side: becomes the program, or ends.
[[noreturn]] void become(const ChildOrder& order, std::vector<char*>& arguments, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // it ended before we asked to end with it
  for (const auto& [name, value] : order.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::execv(order.program.c_str(), arguments.data());
  const char* const text = std::strerror(errno);
  const std::string line = "forewarp: " + order.program.string() + " cannot be run: " + text + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(not_started);
}

}  // namespace

Expected<ChildEnd> run_child(const ChildOrder& order) {
  std::vector<char*> arguments;
  std::vector<std::string> kept = order.arguments;
  for (std::string& argument : kept) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // what the program leaves behind stays below this process
  const pid_t made = ::fork();
  if (made < 0) return Diagnostic{order.program.string(), std::strerror(errno), "", ""};
  if (made == 0) become(order, arguments, parent);
  child = made;
  take_signals();
  ChildEnd end;
  Ending ending;
  int status = 0;
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::seconds limit(order.limit_s);
  constexpr timespec pause{0, 20'000'000};
  while (true) {
    const bool looks = order.limit_s != 0 || order.meanwhile;
    const pid_t done = ::waitpid(made, &status, looks ? WNOHANG : 0);
    if (done == made || (done < 0 && errno != EINTR)) break;
    if (done == 0) ::nanosleep(&pause, nullptr);
    if (order.meanwhile) order.meanwhile();
    if (order.limit_s != 0 && std::chrono::steady_clock::now() - begin >= limit) {
      end.timed_out = true;
      ending.go_on();
    }
  }
  child = 0;
  // A shell that a signal ends leaves the program behind that it waited for.
  if (ending.has_begun() || (received != 0 && WIFSIGNALED(status))) {
    while (ending.go_on()) ::nanosleep(&pause, nullptr);
  }
  end.process = made;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.exit_code = WIFSIGNALED(status) ? by_signal + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

Expected<JournalFile> JournalFile::make() {
  const int file = ::memfd_create("forewarp-run", MFD_CLOEXEC);
  if (file < 0) return Diagnostic{"journal", std::strerror(errno), "memory for a file", ""};
  return JournalFile(file);
}

JournalFile::~JournalFile() {
  if (file_ >= 0) ::close(file_);
}

std::string JournalFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
}

std::string JournalFile::text(std::size_t begin) const {
  struct stat facts {};
  if (::fstat(file_, &facts) != 0 || static_cast<std::size_t>(facts.st_size) <= begin) return {};
  std::string text(static_cast<std::size_t>(facts.st_size) - begin, '\0');
  std::size_t read = 0;
  while (read < text.size()) {
    const ssize_t got =
        ::pread(file_, text.data() + read, text.size() - read, static_cast<off_t>(begin + read));
    if (got <= 0) break;
    read += static_cast<std::size_t>(got);
  }
  text.resize(read);
  return text;
}

}  // namespace forewarp::cli
