// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace forewarp::base {
namespace {

Diagnostic system_failure(const std::filesystem::path& path, const char* what) {
  return {path.string(), std::string(what) + ": " + std::strerror(errno), "", ""};
}

}  // namespace

Expected<std::string> read_file(const std::filesystem::path& path) {
  constexpr std::size_t most_endless = std::size_t{64} << 20;  // of a device or a pipe
  constexpr std::size_t piece = std::size_t{1} << 16;
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return system_failure(path, "cannot be opened");
  std::error_code code;
  const bool regular = std::filesystem::is_regular_file(path, code);
  std::string content;
  while (stream) {
    const std::size_t before = content.size();
    content.resize(before + piece);
    stream.read(content.data() + before, piece);
    content.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (!regular && content.size() > most_endless) {
      return Diagnostic{path.string(), "does not end", "at most 64 MiB of what is no regular file",
                        ""};
    }
  }
  if (stream.bad() || std::filesystem::is_directory(path)) {
    return Diagnostic{path.string(), "is not a readable file", "", ""};
  }
  return content;
}

Expected<void> write_file(const std::filesystem::path& file, std::string_view content) {
  std::error_code code;
  std::filesystem::path path = file;
  // What a link points to is written, not the link.
  if (std::filesystem::is_symlink(file, code)) path = std::filesystem::weakly_canonical(file, code);
  // A device or a pipe takes the bytes; a rename would put a file in its place.
  const bool in_place = std::filesystem::exists(path, code) &&
                        !std::filesystem::is_regular_file(path, code) &&
                        !std::filesystem::is_directory(path, code);
  std::filesystem::path target = path;
  if (!in_place) target += ".tmp" + std::to_string(static_cast<long>(::getpid()));
  errno = 0;
  {
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.flush();
    if (!stream) return system_failure(path, "cannot be written");
  }
  if (in_place) return {};
  std::filesystem::rename(target, path, code);
  if (code) return Diagnostic{path.string(), "cannot be written: " + code.message(), "", ""};
  return {};
}

Expected<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_failure(path, "cannot be opened");
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(descriptor);
    return Diagnostic{path.string(), "is not a regular file", "", ""};
  }
  MappedFile file;
  file.size_ = static_cast<std::size_t>(facts.st_size);
  if (file.size_ > 0) {
    void* address = ::mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      ::close(descriptor);
      return system_failure(path, "cannot be mapped");
    }
    file.data_ = static_cast<const char*>(address);
    ::madvise(address, file.size_, MADV_SEQUENTIAL);
  }
  ::close(descriptor);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(released_, other.released_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

void MappedFile::release_before(std::size_t offset) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = std::min(offset, size_) / page * page;
  if (end <= released_) return;
  ::madvise(const_cast<char*>(data_) + released_, end - released_, MADV_DONTNEED);
  released_ = end;
}

}  // namespace forewarp::base
