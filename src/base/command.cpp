// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/command.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/text.h"

namespace forewarp::base {
namespace {

using Clock = std::chrono::steady_clock;

/// Reads what a child writes and watches what it uses.
class CommandReader {
 public:
  CommandReader(const Command& command, Child& child)
      : command_(command), child_(child), until_(Clock::now() + command.limits.time) {}

  /// Both streams at once, as a child stops if one fills up while we wait for the other.
  Expected<CommandOutput> read() {
    constexpr int tick_ms = 50;
    std::array<pollfd, 2> watched = {pollfd{child_.output(), POLLIN, 0},
                                     pollfd{child_.errors(), POLLIN, 0}};
    const std::array<std::string*, 2> texts = {&said_.output, &said_.errors};
    for (bool ended = false; !ended;) {
      const bool open = watched[0].fd >= 0 || watched[1].fd >= 0;
      const int ready = ::poll(watched.data(), watched.size(), open ? tick_ms : 1);
      // A descendant may hold the streams open after the program ended.
      ended = ready <= 0 && child_.has_ended();
      for (std::size_t i = 0; i < watched.size() && ready > 0; ++i) take(watched[i], *texts[i]);
      if (auto kept = within_limits(); !kept) return std::move(kept).error();
    }
    return std::move(said_);
  }

 private:
  void take(pollfd& stream, std::string& text) {
    if (stream.fd < 0 || stream.revents == 0) return;
    const ssize_t got = ::read(stream.fd, buffer_.data(), buffer_.size());
    if (got > 0) {
      text.append(buffer_.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      stream.fd = -1;
    }
  }

  Expected<void> within_limits() {
    const CommandLimits& most = command_.limits;
    const auto exceeds = [&](const std::string& what, const std::string& limit) {
      return Diagnostic{command_.program.string(), what + " and was ended", limit, ""};
    };
    const Clock::time_point now = Clock::now();
    if (now >= until_) {
      const double seconds = std::chrono::duration<double>(most.time).count();
      return exceeds("ran too long", "at most " + significant(seconds) + " s");
    }
    constexpr double mebibyte = 1 << 20;
    if (said_.output.size() + said_.errors.size() > most.output) {
      return exceeds(
          "wrote too much",
          "at most " + significant(static_cast<double>(most.output) / mebibyte) + " MiB of output");
    }
    if (now < next_look_) return {};
    next_look_ = now + std::chrono::milliseconds(100);
    if (child_.resident_bytes() <= most.memory) return {};
    return exceeds("took too much memory",
                   "at most " + significant(static_cast<double>(most.memory) / mebibyte) + " MiB");
  }

  const Command& command_;
  Child& child_;
  Clock::time_point until_, next_look_{};
  CommandOutput said_;
  std::array<char, 65536> buffer_;
};

std::vector<std::string> environment_with(const std::filesystem::path& temporary) {
  constexpr std::string_view variable = "TMPDIR=";
  std::vector<std::string> all{std::string(variable) +
                               std::filesystem::absolute(temporary).string()};
  for (char** one = ::environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with(variable)) all.emplace_back(*one);
  }
  return all;
}

}  // namespace

std::filesystem::path program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
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
  ChildOptions order;
  order.words = {command.program.string()};
  order.words.insert(order.words.end(), command.arguments.begin(), command.arguments.end());
  order.folder = command.folder.string();
  if (!command.temporary.empty()) order.environment = environment_with(command.temporary);
  order.most_memory = 4 * command.limits.memory;  // address space, between two looks
  order.errors = ChildOptions::Errors::apart;
  order.reads = false;
  auto child = Child::start(order);
  if (!child) return std::move(child).error();
  auto said = CommandReader(command, *child).read();
  const ChildEnd end = child->end();
  if (said) said->exit_code = end.signal != 0 ? 128 + end.signal : end.code;
  return said;
}

}  // namespace forewarp::base
