// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace forewarp::base {
namespace {

constexpr int cannot_run = 127;

void close_file(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

void limit(__rlimit_resource what, std::uint64_t most) {
  if (most == 0) return;
  const rlimit both{most, most};
  ::setrlimit(what, &both);
}

/// What every child does first; only calls that are allowed in a copy of a process with threads.
void lead_group(pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(cannot_run);  // it ended before we asked to end with it
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
}

/// Files of a child that it opened or was given before it became the program.
struct ChildFiles {
  int in = -1, out = -1, errors = -1, failure = -1;
};

/// The program's part, with the same restriction. Writes errno to `files.failure`, which closes by
/// itself when the program begins.
[[noreturn]] void become(const ChildOptions& order, char* const* words, char* const* environment,
                         const ChildFiles& files) {
  const auto fail = [&] {
    const int number = errno;
    [[maybe_unused]] const auto told = ::write(files.failure, &number, sizeof(number));
    ::_exit(cannot_run);
  };
  if (!order.folder.empty() && ::chdir(order.folder.c_str()) != 0) fail();
  limit(RLIMIT_AS, order.most_memory);
  limit(RLIMIT_FSIZE, order.most_file);
  limit(RLIMIT_CPU, order.most_seconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) fail();
  ::dup2(files.in >= 0 ? files.in : nowhere, STDIN_FILENO);
  ::dup2(files.out, STDOUT_FILENO);
  const bool with_output = order.errors == ChildOptions::Errors::with_output;
  ::dup2(with_output ? files.out : files.errors >= 0 ? files.errors : nowhere, STDERR_FILENO);
  constexpr unsigned close_on_exec = 4;  // CLOSE_RANGE_CLOEXEC
  ::close_range(STDERR_FILENO + 1, ~0U, close_on_exec);
  ::execve(words[0], words, environment);
  fail();
  ::_exit(cannot_run);
}

/// Waits until `alive` closes with our process, or with the object that holds it; ends the group.
[[noreturn]] void watch_over(pid_t group, int alive) {
  ::setsid();  // what is typed at the terminal is for others
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  ::dup2(alive, STDIN_FILENO);
  ::close_range(STDIN_FILENO + 1, ~0U, 0);
  char nothing = 0;
  while (::read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
  }
  ::kill(-group, SIGKILL);
  ::_exit(0);
}

Diagnostic cannot(const std::string& program, const char* what, int number) {
  return {program, std::string(what) + ": " + std::strerror(number), "", ""};
}

std::uint64_t pages_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return resident;
}

std::uint64_t pages_of_tree(pid_t process, int depth) {
  std::uint64_t pages = pages_of(process);
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; depth > 0 && file >> child;) pages += pages_of_tree(child, depth - 1);
  return pages;
}

int waited_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

/// The pipes of one start; each end closes with this unless it is taken.
struct Child::Ends {
  std::array<int, 2> in{-1, -1}, out{-1, -1}, errors{-1, -1}, failure{-1, -1};

  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    for (auto* pipe : {&in, &out, &errors, &failure}) {
      for (int& end : *pipe) close_file(end);
    }
  }
  [[nodiscard]] bool open(const ChildOptions& order) {
    const auto make = [](std::array<int, 2>& pipe) { return ::pipe2(pipe.data(), O_CLOEXEC) == 0; };
    return (!order.reads || make(in)) && make(out) &&
           (order.errors != ChildOptions::Errors::apart || make(errors)) && make(failure);
  }
};

std::string ChildEnd::text() const {
  return signal != 0 ? "by signal " + std::to_string(signal) : "with code " + std::to_string(code);
}

Expected<Child> Child::start(const ChildOptions& order) {
  return forked(order, {});
}

Expected<Child> Child::run(const std::function<void(int)>& work) {
  ChildOptions order;
  order.words = {"a copy of this process"};
  order.reads = false;
  return forked(order, work);
}

Expected<Child> Child::forked(const ChildOptions& order, const std::function<void(int)>& work) {
  const std::string& name = order.words.front();
  Ends ends;
  if (!ends.open(order)) return cannot(name, "no pipe to it", errno);
  const std::vector<char*> words = pointers(order.words);
  std::vector<char*> own;
  if (order.environment) own = pointers(*order.environment);
  char* const* environment = order.environment ? own.data() : ::environ;
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return cannot(name, "no process for it", errno);
  if (process == 0) {
    lead_group(parent);
    if (!work) {
      become(order, words.data(), environment,
             {ends.in[0], ends.out[1], ends.errors[1], ends.failure[1]});
    }
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    close_file(ends.out[0]);
    close_file(ends.failure[1]);
    try {  // nothing of the parent's that follows is the child's to do
      work(ends.out[1]);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ::setpgid(process, process);  // whoever is first
  Child child;
  child.process_ = process;
  child.input_ = std::exchange(ends.in[1], -1);
  child.output_ = std::exchange(ends.out[0], -1);
  child.errors_ = std::exchange(ends.errors[0], -1);
  if (auto watched = child.watch(name); !watched) return std::move(watched).error();
  for (int* end : {&ends.in[0], &ends.out[1], &ends.errors[1], &ends.failure[1]}) close_file(*end);
  int number = 0;
  ssize_t got = 0;
  do {
    got = ::read(ends.failure[0], &number, sizeof(number));
  } while (got < 0 && errno == EINTR);
  if (got == sizeof(number)) return cannot(name, "cannot be started", number);
  if (child.input_ >= 0) ::fcntl(child.input_, F_SETFL, O_NONBLOCK);
  return child;
}

/// Starts the process that ends the group when ours is gone.
Expected<void> Child::watch(const std::string& name) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot(name, "no pipe to watch it", errno);
  const pid_t group = process_;
  watcher_ = ::fork();
  if (watcher_ == 0) watch_over(group, ends[0]);
  const int number = errno;
  ::close(ends[0]);
  alive_ = ends[1];
  if (watcher_ < 0) return cannot(name, "no process to watch it", number);
  return {};
}

Child::Child(Child&& other) noexcept {
  *this = std::move(other);
}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  end();
  process_ = std::exchange(other.process_, -1);
  watcher_ = std::exchange(other.watcher_, -1);
  input_ = std::exchange(other.input_, -1);
  output_ = std::exchange(other.output_, -1);
  errors_ = std::exchange(other.errors_, -1);
  alive_ = std::exchange(other.alive_, -1);
  return *this;
}

void Child::close_input() {
  close_file(input_);
}

bool Child::has_ended() const {
  if (process_ < 0) return true;
  siginfo_t info{};
  const auto id = static_cast<id_t>(process_);
  return ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process_;
}

std::uint64_t Child::resident_bytes() const {
  constexpr int deepest = 6;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return process_ < 0 ? 0 : page * pages_of_tree(process_, deepest);
}

ChildEnd Child::wait() {
  siginfo_t info{};
  const auto id = static_cast<id_t>(process_);
  while (process_ >= 0 && ::waitid(P_PID, id, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  return end();
}

ChildEnd Child::end() {
  for (int* file : {&input_, &output_, &errors_}) close_file(*file);
  if (process_ < 0) return {};
  // Until it is waited for, its number names no other group.
  if (!has_ended()) ::kill(process_, SIGKILL);
  ::kill(-process_, SIGKILL);
  close_file(alive_);
  if (watcher_ >= 0) waited_for(watcher_);
  const int status = waited_for(process_);
  process_ = watcher_ = -1;
  return WIFSIGNALED(status) ? ChildEnd{WTERMSIG(status), 0} : ChildEnd{0, WEXITSTATUS(status)};
}

}  // namespace forewarp::base
