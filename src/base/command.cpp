// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

namespace forewarp::input {
namespace {

class Pipe {
 public:
  Pipe() { opened_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool opened() const { return opened_; }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_ = {-1, -1};
  bool opened_ = false;
};

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void redirect(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void no_input() {
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  void change_folder(const std::filesystem::path& folder) {
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Unblocks signals in the child that the parent may have blocked in order to wait for them.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Reads both streams at once: a child blocks if one fills up while we wait for the other.
void drain(Pipe& output, Pipe& errors, CommandOutput& result) {
  std::array<pollfd, 2> watched = {pollfd{output.read_end(), POLLIN, 0},
                                   pollfd{errors.read_end(), POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&result.output, &result.errors};
  std::array<char, 65536> buffer;
  std::size_t open = watched.size();
  while (open > 0) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      const ssize_t got = ::read(watched[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        watched[i].fd = -1;
        --open;
      }
    }
  }
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::filesystem::path program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::string program_identity(const std::filesystem::path& program) {
  struct stat facts {};
  if (program.empty() || ::stat(program.c_str(), &facts) != 0) return {};
  return program.string() + ' ' + std::to_string(facts.st_size) + ' ' +
         std::to_string(facts.st_mtim.tv_sec) + '.' + std::to_string(facts.st_mtim.tv_nsec) + '\n';
}

Expected<CommandOutput> run_command(const Command& command) {
  const auto failure = [&](int error) {
    return Diagnostic{command.program.string(),
                      std::string("cannot be started: ") + std::strerror(error), "", ""};
  };
  Pipe output;
  Pipe errors;
  if (!output.opened() || !errors.opened()) return failure(errno);
  SpawnActions actions;
  actions.no_input();
  actions.redirect(output.write_end(), STDOUT_FILENO);
  actions.redirect(errors.write_end(), STDERR_FILENO);
  actions.change_folder(command.folder);

  std::string program = command.program.string();
  std::vector<std::string> arguments = command.arguments;
  std::vector<char*> vector{program.data()};
  for (std::string& argument : arguments) vector.push_back(argument.data());
  vector.push_back(nullptr);

  pid_t child = 0;
  const SpawnAttributes attributes;
  const int error = ::posix_spawn(&child, program.c_str(), actions.get(), attributes.get(),
                                  vector.data(), ::environ);
  if (error != 0) return failure(error);
  output.close_write();
  errors.close_write();
  CommandOutput result;
  drain(output, errors, result);
  result.exit_code = exit_code_of(child);
  return result;
}

}  // namespace forewarp::input
