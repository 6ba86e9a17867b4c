// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "launch/cache/launch_archive.h"

namespace forewarp::launch {

/// Keeps executed launches on disk, one file per launch and GPU, keyed by everything that their
/// profile depends on: what one process has executed, no other executes again. Files are checked
/// when read; a damaged one counts as absent. A failed write is ignored. Safe with any number of
/// processes, as files are put in place by a rename.
class LaunchCache {
 public:
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;
  static constexpr std::size_t most_entry = std::size_t{4} << 20;  ///< larger ones are not kept

  /// With an empty `folder` it keeps nothing.
  explicit LaunchCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// In $XDG_CACHE_HOME/forewarp/launches, else ~/.cache/forewarp/launches; keeps nothing without
  /// either.
  static LaunchCache from_environment();

  [[nodiscard]] bool keeps() const { return !folder_.empty(); }

  /// `key`: any bytes; a stamp of the running program is added to it.
  [[nodiscard]] std::optional<ArchivedLaunch> find(const std::string& key) const;
  void store(const std::string& key, const ArchivedLaunch& launch) const;

  /// Removes the oldest files until at most `most` bytes are left.
  void trim(std::uintmax_t most = most_bytes) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;
};

/// Puts a checksum in front of a file's body, and takes it off; nullopt if it does not match.
[[nodiscard]] std::string sealed(std::string_view body);
[[nodiscard]] std::optional<std::string_view> unsealed(std::string_view content);

}  // namespace forewarp::launch
