// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/expected.h"

namespace forewarp::serve {

/// A program to start, with what it may use.
struct ChildOrder {
  std::vector<std::string> words;        ///< the program's path first
  std::vector<std::string> environment;  ///< NAME=VALUE, all of it
  std::string folder;                    ///< it works in; empty: the server's
  std::uint64_t most_memory = 0;         ///< bytes of address space; 0: no limit
  std::uint64_t most_file = 0;           ///< bytes that it may write into one file; 0: no limit
  std::uint64_t most_seconds = 0;        ///< of processor time; 0: no limit
  bool says_errors = false;              ///< standard error goes where standard output does
};

/// A process of our own in a group of its own, with pipes to its standard input and output. It ends
/// with this object, and with the thread that started it.
class Child {
 public:
  static Expected<Child> start(const ChildOrder& order);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  [[nodiscard]] int input() const { return input_; }    ///< what we write it reads
  [[nodiscard]] int output() const { return output_; }  ///< what it writes we read
  void close_input();
  [[nodiscard]] pid_t process() const { return process_; }

  /// Resident memory of the process and of what it started, in bytes.
  [[nodiscard]] std::uint64_t resident_bytes() const;

  /// Ends it with its group; how it ended: "by signal 9", "with code 1".
  std::string end();

 private:
  Child() = default;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;
};

}  // namespace forewarp::serve
