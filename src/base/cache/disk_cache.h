// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace forewarp::base {

/// What one process made, for those that come later: a file for each key, at most so many bytes of
/// them; what was not read longest goes first. Files are checked when read; a damaged one counts as
/// absent. A failed write is ignored. Safe with any number of threads and processes, as files are
/// put in place by a rename.
class DiskCache {
 public:
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;

  /// With an empty `folder` it keeps nothing. `extension`: of its files, ".launch"; `most_entry`:
  /// bytes, larger bodies are not kept.
  DiskCache(std::filesystem::path folder, std::string extension, std::size_t most_entry)
      : folder_(std::move(folder)), extension_(std::move(extension)), most_entry_(most_entry) {}

  /// In $XDG_CACHE_HOME/forewarp/NAME, else ~/.cache/forewarp/NAME; keeps nothing without either.
  static DiskCache named(const std::string& name, std::string extension, std::size_t most_entry);

  [[nodiscard]] bool keeps() const { return !folder_.empty(); }

  /// The body that was stored under this key, a word without slashes. It counts as read now.
  [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, std::string_view body) const;

  /// Removes files until at most `most` bytes are left, those not read longest first.
  void trim(std::uintmax_t most = most_bytes) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;
  std::string extension_;
  std::size_t most_entry_ = 0;
};

/// A stamp of the running program, for keys of what only the same build can read.
[[nodiscard]] std::string program_stamp();

/// Puts a checksum in front of a file's body, and takes it off; nullopt if it does not match.
[[nodiscard]] std::string sealed(std::string_view body);
[[nodiscard]] std::optional<std::string_view> unsealed(std::string_view content);

}  // namespace forewarp::base
