// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp::cli {

/// A process that takes over the terminal: input, output and signals are its own.
struct ChildOrder {
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< the first is the name it is called by
  std::vector<std::pair<std::string, std::string>> environment;  ///< set beside what is there
  std::uint32_t limit_s = 0;        ///< it is ended after so long, with all it started; 0: never
  std::function<void()> meanwhile;  ///< called many times a second while it runs; may be empty
};
struct ChildEnd {
  int exit_code = 0;  ///< 128 + signal where a signal ended it
  bool timed_out = false;
  int signal = 0;            ///< that ended it; 0: none
  std::int64_t process = 0;  ///< its number
};

/// Runs it to its end. SIGINT, SIGTERM and SIGHUP go on to it, unless they are ignored.
Expected<ChildEnd> run_child(const ChildOrder& order);

/// A file without a name that processes append to by the path that they are given.
class JournalFile {
 public:
  static Expected<JournalFile> make();
  JournalFile(JournalFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  JournalFile& operator=(JournalFile&&) = delete;
  ~JournalFile();

  [[nodiscard]] std::string path() const;
  /// What was appended, from this byte on.
  [[nodiscard]] std::string text(std::size_t begin = 0) const;

 private:
  explicit JournalFile(int file) : file_(file) {}
  int file_;
};

}  // namespace forewarp::cli
