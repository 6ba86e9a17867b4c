// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "base/expected.h"

namespace forewarp::input {

/// A folder that is deleted, with its content, together with the object. It contains a lock that
/// ends with the process, so that later processes can remove the folders of killed ones.
class TemporaryFolder {
 public:
  static Expected<TemporaryFolder> create();
  /// Removes all folders of this process, for use when a signal ends it.
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
  int lock_ = -1;  ///< descriptor of the lock; negative if the file system supports none
};

}  // namespace forewarp::input
