// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "launch/cache/launch_archive.h"

namespace forewarp::launch {

/// Launches on a GPU by the content that their profile follows from, one file each: a launch that
/// any process of this program has seen is executed no more. Files are checked when read; one that
/// is damaged counts as absent. Failures to write are no failures of the work. Safe with any number
/// of processes: files appear by a rename.
class LaunchCache {
 public:
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;
  static constexpr std::size_t most_entry = std::size_t{4} << 20;  ///< larger ones are not kept

  /// An empty folder keeps nothing.
  explicit LaunchCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// $XDG_CACHE_HOME/forewarp/launches or ~/.cache/forewarp/launches; nothing without either.
  static LaunchCache from_environment();

  [[nodiscard]] bool keeps() const { return !folder_.empty(); }

  /// `key`: any bytes; the program that runs is made part of it.
  [[nodiscard]] std::optional<ArchivedLaunch> find(const std::string& key) const;
  void store(const std::string& key, const ArchivedLaunch& launch) const;

  /// Removes what was written longest ago until no more than `most` bytes are left.
  void trim(std::uintmax_t most = most_bytes) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;
};

/// A file's content, with its own checksum in front, and back; nothing where they do not agree.
[[nodiscard]] std::string sealed(std::string_view body);
[[nodiscard]] std::optional<std::string_view> unsealed(std::string_view content);

}  // namespace forewarp::launch
