// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/expected.h"

namespace forewarp::base {

/// A program to start, with what it may use.
struct ChildOptions {
  /// Where standard error goes.
  enum class Errors : std::uint8_t { nowhere, with_output, apart };

  std::vector<std::string> words;                       ///< the program's path first
  std::optional<std::vector<std::string>> environment;  ///< NAME=VALUE; none: that of this process
  std::string folder;                                   ///< it works in; empty: ours
  std::uint64_t most_memory = 0;   ///< bytes of address space of a process; 0: no limit
  std::uint64_t most_file = 0;     ///< bytes that it may write into one file; 0: no limit
  std::uint64_t most_seconds = 0;  ///< of processor time; 0: no limit
  Errors errors = Errors::nowhere;
  bool reads = true;  ///< its standard input is a pipe; false: it is empty
};

/// How a process ended.
struct ChildEnd {
  int signal = 0;  ///< that ended it; 0: it ended itself
  int code = 0;

  /// "by signal 9", "with code 1".
  [[nodiscard]] std::string text() const;
};

/// A process of ours that leads a group of its own, with pipes to its standard streams. The group
/// ends with this object and with our process, however that ends: a second process, which does
/// nothing but wait for that, ends it then. The leader ends with the thread that started it, too.
class Child {
 public:
  static Expected<Child> start(const ChildOptions& order);
  /// A copy of this process that does `work` and ends; `work` writes to the file it is given, which
  /// is read from output().
  static Expected<Child> run(const std::function<void(int output)>& work);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  [[nodiscard]] int input() const { return input_; }    ///< what we write it reads
  [[nodiscard]] int output() const { return output_; }  ///< what it writes we read
  [[nodiscard]] int errors() const { return errors_; }  ///< where they come apart; else -1
  void close_input();
  [[nodiscard]] pid_t process() const { return process_; }

  /// Whether the leader has ended; what it started may go on.
  [[nodiscard]] bool has_ended() const;

  /// Resident memory of the process and of what it started, in bytes.
  [[nodiscard]] std::uint64_t resident_bytes() const;

  /// Lets the leader end, however long it takes, and then its group; how the leader ended.
  ChildEnd wait();

  /// Ends the whole group; how its leader ended.
  ChildEnd end();

 private:
  struct Ends;
  Child() = default;
  static Expected<Child> forked(const ChildOptions& order, const std::function<void(int)>& work);
  Expected<void> watch(const std::string& name);

  pid_t process_ = -1, watcher_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1;
  int alive_ = -1;  ///< the watcher sees it close with us
};

}  // namespace forewarp::base
