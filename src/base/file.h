// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::base {

/// Reads a whole file. Fails with the path and the system's reason; a named pipe that nobody writes
/// to is waited for two seconds.
Expected<std::string> read_file(const std::filesystem::path& path);

/// A descriptor of a file, device or pipe that the caller closes; refusals as read_file.
Expected<int> open_to_read(const std::filesystem::path& path);

/// The lines of a file, device or pipe as they come; refusals as read_file.
class FileStream : public std::istream {
 public:
  static Expected<std::unique_ptr<std::istream>> open(const std::filesystem::path& path);
  ~FileStream() override;

 private:
  class Buffer;
  explicit FileStream(std::unique_ptr<Buffer> buffer);
  std::unique_ptr<Buffer> buffer_;
};

/// Writes to an unnamed file that is then renamed, so that readers never see a partial file and a
/// killed process leaves nothing behind. Follows symbolic links, also to files that do not exist
/// yet. Devices and pipes are written in place.
Expected<void> write_file(const std::filesystem::path& file, std::string_view content);

/// A read-only mapping of a file; bytes occupy memory only while they are used.
class MappedFile {
 public:
  static Expected<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  /// Tells the system that bytes before `offset` will not be read again.
  void release_before(std::size_t offset);

 private:
  MappedFile() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t released_ = 0;
};

}  // namespace forewarp::base
