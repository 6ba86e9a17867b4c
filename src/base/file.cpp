// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <streambuf>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/text.h"

namespace forewarp::base {
namespace {

Diagnostic system_failure(const std::filesystem::path& path, const char* what) {
  return {path.string(), std::string(what) + ": " + std::strerror(errno), "", ""};
}

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The end of a chain of symbolic links, whether it exists or not.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int most_links = 40;
  std::error_code code;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(path, code); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, code);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

/// Number of an open descriptor from a name like "/dev/stdout", "/dev/fd/3" or "/proc/self/fd/3".
std::optional<int> open_number(std::string_view name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    const auto number = parse_integer(name.substr(folder.size()));
    if (number && *number >= 0 && *number < 1'000'000) return static_cast<int>(*number);
  }
  return std::nullopt;
}

/// Whether it is a device, a pipe or the name of an open one, which is written in place.
bool is_stream(const std::filesystem::path& file) {
  std::error_code code;
  if (open_number(file.string())) return true;
  const auto status = std::filesystem::status(file, code);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

constexpr int other_end_ms = 2000;  // how long the other end of a named pipe is waited for

/// Whether a pipe has data or somebody who writes, or had: a shell's may be slow to open it.
bool has_writer(int pipe) {
  pollfd waiting{pipe, POLLIN, 0};
  if (::poll(&waiting, 1, other_end_ms) > 0) return true;
  std::array<int, 2> scratch{-1, -1};
  if (::pipe2(scratch.data(), O_CLOEXEC) != 0) return true;
  const Descriptor from(scratch[0]), to(scratch[1]);
  return ::tee(pipe, to.number(), 1, SPLICE_F_NONBLOCK) != 0;  // 0: empty, and nobody writes
}

/// A pipe that nobody reads is waited for, but not for ever.
Descriptor opened_to_write(const std::filesystem::path& file) {
  constexpr int every_ms = 20;
  for (int waited = 0;; waited += every_ms) {
    Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() >= 0) ::fcntl(descriptor.number(), F_SETFL, 0);  // waits again
    if (descriptor.number() >= 0 || errno != ENXIO || waited >= other_end_ms) return descriptor;
    ::poll(nullptr, 0, every_ms);
  }
}

Expected<void> write_in_place(const std::filesystem::path& file, std::string_view content) {
  errno = 0;
  const auto open_already = open_number(file.string());  // keeps its position and mode
  const Descriptor descriptor =
      open_already ? Descriptor(::dup(*open_already)) : opened_to_write(file);
  if (descriptor.number() < 0 && errno == ENXIO) {
    return Diagnostic{file.string(), "is a pipe that nobody reads", "a file, or a reader", ""};
  }
  if (descriptor.number() < 0 || !write_all(descriptor.number(), content)) {
    return system_failure(file, "cannot be written");
  }
  return {};
}

/// Opens a file without a name, which vanishes with the process unless it gets one; negative if the
/// file system does not support that.
int nameless_in(const std::filesystem::path& folder) {
  const std::string name = folder.empty() ? "." : folder.string();
  return ::open(name.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool name_it(int descriptor, const std::filesystem::path& name) {
  const std::string own = "/proc/self/fd/" + std::to_string(descriptor);
  ::unlink(name.c_str());
  return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

Expected<std::string> read_file(const std::filesystem::path& path) {
  constexpr std::size_t most_endless = std::size_t{64} << 20;  // of a device or a pipe
  constexpr std::size_t piece = std::size_t{1} << 16;
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  const Descriptor file(*opened);
  struct stat facts {};
  const bool regular = ::fstat(file.number(), &facts) == 0 && S_ISREG(facts.st_mode);
  std::string content;
  if (regular) content.reserve(static_cast<std::size_t>(facts.st_size) + piece);
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + piece);
    const ssize_t got = ::read(file.number(), content.data() + before, piece);
    content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return content;
    if (got < 0 && errno != EINTR) return system_failure(path, "is not a readable file");
    if (!regular && content.size() > most_endless) {
      return Diagnostic{path.string(), "is endless or too long",
                        "at most 64 MiB from anything but a regular file", ""};
    }
  }
}

Expected<int> open_to_read(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (file.number() < 0 || ::fstat(file.number(), &facts) != 0) {
    return system_failure(path, "cannot be opened");
  }
  if (S_ISDIR(facts.st_mode)) return Diagnostic{path.string(), "is not a readable file", "", ""};
  if (S_ISFIFO(facts.st_mode) && !has_writer(file.number())) {
    return Diagnostic{path.string(), "is a pipe that nobody writes to", "a file, or a writer", ""};
  }
  ::fcntl(file.number(), F_SETFL, 0);  // from here on reading waits
  return file.release();
}

/// Reads a descriptor that it owns.
class FileStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(int file) : file_(file) {}

 protected:
  int_type underflow() override {
    ssize_t got = 0;
    do {
      got = ::read(file_.number(), bytes_.data(), bytes_.size());
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
    return traits_type::to_int_type(bytes_.front());
  }

 private:
  Descriptor file_;
  std::array<char, std::size_t{1} << 16> bytes_;
};

FileStream::FileStream(std::unique_ptr<Buffer> buffer)
    : std::istream(buffer.get()), buffer_(std::move(buffer)) {}

FileStream::~FileStream() = default;

Expected<std::unique_ptr<std::istream>> FileStream::open(const std::filesystem::path& path) {
  const auto file = open_to_read(path);
  if (!file) return file.error();
  return std::unique_ptr<std::istream>(new FileStream(std::make_unique<Buffer>(*file)));
}

Expected<void> write_file(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path path = behind_links(file);
  if (is_stream(file)) return write_in_place(file, content);
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    return Diagnostic{path.string(), "is a folder", "a file to write", ""};
  }
  std::filesystem::path beside = path;
  beside += ".tmp" + std::to_string(static_cast<long>(::getpid()));
  errno = 0;
  Descriptor descriptor(nameless_in(path.parent_path()));
  const bool nameless = descriptor.number() >= 0;
  if (!nameless) {
    descriptor = Descriptor(::open(beside.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666));
  }
  bool done = descriptor.number() >= 0 && write_all(descriptor.number(), content);
  if (done && nameless && !name_it(descriptor.number(), beside)) {  // there is no /proc
    descriptor = Descriptor(::open(beside.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666));
    done = descriptor.number() >= 0 && write_all(descriptor.number(), content);
  }
  code.assign(done ? 0 : errno, std::system_category());
  if (done) std::filesystem::rename(beside, path, code);
  if (!code) return {};
  if (done || !nameless) ::unlink(beside.c_str());
  return Diagnostic{path.string(), "cannot be written: " + code.message(), "", ""};
}

Expected<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // A pipe that nobody writes to would be waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
  constexpr std::size_t worth_a_call = std::size_t{4} << 20;  // else the end gives them back
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = std::min(offset, size_) / page * page;
  if (end < released_ + worth_a_call) return;
  ::madvise(const_cast<char*>(data_) + released_, end - released_, MADV_DONTNEED);
  released_ = end;
}

}  // namespace forewarp::base
