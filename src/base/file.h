// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::base {

/// The whole file. Fails with the path and the system's reason.
Expected<std::string> read_file(const std::filesystem::path& path);

/// Writes through a file without a name and a rename, so that a reader never sees half of it and
/// a process that is ended leaves nothing. Of a symbolic link, what it points to, there or not yet;
/// a device or a pipe is written in place.
Expected<void> write_file(const std::filesystem::path& file, std::string_view content);

/// A read-only view of a file's bytes, in memory only while they are touched.
class MappedFile {
 public:
  static Expected<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  /// Tells the system that the bytes before `offset` will not be read again.
  void release_before(std::size_t offset);

 private:
  MappedFile() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t released_ = 0;
};

}  // namespace forewarp::base
