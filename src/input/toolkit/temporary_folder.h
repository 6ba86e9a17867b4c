// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "base/expected.h"

namespace forewarp::input {

/// A folder that goes, with all in it, when the object goes. A lock in it goes with the process, so
/// that the next one removes the folders of processes that were killed, and those alone.
class TemporaryFolder {
 public:
  static Expected<TemporaryFolder> create();
  /// All that this process has: for a signal that ends it.
  static void remove_own();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor of the lock; below 0: the file system has none
};

}  // namespace forewarp::input
