// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/process/child.h"

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

#include "base/file.h"

namespace forewarp::serve {
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

/// The child's part: only calls that are allowed between fork and exec of a program with threads.
[[noreturn]] void become(const ChildOrder& order, char* const* words, char* const* environment,
                         int in, int out, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(cannot_run);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (!order.folder.empty() && ::chdir(order.folder.c_str()) != 0) ::_exit(cannot_run);
  limit(RLIMIT_AS, order.most_memory);
  limit(RLIMIT_FSIZE, order.most_file);
  limit(RLIMIT_CPU, order.most_seconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(order.says_errors ? out : nowhere, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  ::execve(words[0], words, environment);
  ::_exit(cannot_run);
}

Diagnostic cannot(const std::string& program, const char* what) {
  return {program, std::string(what) + ": " + std::strerror(errno), "", ""};
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

}  // namespace

Expected<Child> Child::start(const ChildOrder& order) {
  std::array<int, 2> to{-1, -1}, from{-1, -1};
  if (::pipe2(to.data(), O_CLOEXEC) != 0) return cannot(order.words.front(), "no pipe to it");
  if (::pipe2(from.data(), O_CLOEXEC) != 0) {
    ::close(to[0]);
    ::close(to[1]);
    return cannot(order.words.front(), "no pipe from it");
  }
  const std::vector<char*> words = pointers(order.words);
  const std::vector<char*> environment = pointers(order.environment);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) become(order, words.data(), environment.data(), to[0], from[1], parent);
  ::close(to[0]);
  ::close(from[1]);
  Child child;
  child.input_ = to[1];
  child.output_ = from[0];
  child.process_ = process;
  if (process < 0) return cannot(order.words.front(), "no process for it");
  ::fcntl(child.input_, F_SETFL, O_NONBLOCK);
  return child;
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    process_ = std::exchange(other.process_, -1);
    input_ = std::exchange(other.input_, -1);
    output_ = std::exchange(other.output_, -1);
  }
  return *this;
}

void Child::close_input() {
  close_file(input_);
}

std::uint64_t Child::resident_bytes() const {
  constexpr int deepest = 6;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return process_ < 0 ? 0 : page * pages_of_tree(process_, deepest);
}

std::string Child::end() {
  close_file(input_);
  close_file(output_);
  if (process_ < 0) return "";
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) != process_) {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  return WIFSIGNALED(status) ? "by signal " + std::to_string(WTERMSIG(status))
                             : "with code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace forewarp::serve
