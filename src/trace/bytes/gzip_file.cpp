// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/bytes/gzip_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include <climits>

#include "base/file.h"

namespace forewarp::trace {
namespace {

constexpr unsigned buffer_bytes = 1U << 17U;

Diagnostic failed(const std::filesystem::path& path, const char* what, gzFile file) {
  int state = Z_OK;
  const char* reason = file == nullptr ? "" : ::gzerror(file, &state);
  const bool of_system = file == nullptr || state == Z_ERRNO || *reason == '\0';
  return {path.string(),
          std::string(what) + ": " + (of_system ? std::strerror(errno) : "damaged gzip data"), "",
          ""};
}

}  // namespace

void GzipCloser::operator()(gzFile_s* file) const {
  ::gzclose(file);
}

Expected<GzipWriter> GzipWriter::create(const std::filesystem::path& path) {
  errno = 0;
  GzipHandle file(::gzopen(path.c_str(), "wb4"));
  if (!file) return failed(path, "cannot be written", nullptr);
  ::gzbuffer(file.get(), buffer_bytes);
  return GzipWriter(path, std::move(file));
}

Expected<void> GzipWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    errno = 0;
    const auto now = static_cast<unsigned>(std::min<std::size_t>(bytes.size(), INT_MAX));
    const int written = ::gzwrite(file_.get(), bytes.data(), now);
    if (written <= 0) return failed(path_, "cannot be written", file_.get());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Expected<void> GzipWriter::close() {
  errno = 0;
  if (::gzclose(file_.release()) != Z_OK) return failed(path_, "cannot be written", nullptr);
  return {};
}

Expected<std::unique_ptr<ByteSource>> GzipSource::open(const std::filesystem::path& path) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  errno = 0;
  GzipHandle file(::gzdopen(*opened, "rb"));
  if (!file) {
    ::close(*opened);
    return failed(path, "cannot be opened", nullptr);
  }
  ::gzbuffer(file.get(), buffer_bytes);
  if (::gzdirect(file.get()) != 0) {
    return Diagnostic{path.string(), "is no gzip file", "", "write the trace again"};
  }
  return std::unique_ptr<ByteSource>(new GzipSource(path, std::move(file)));
}

Expected<std::size_t> GzipSource::do_read(char* to, std::size_t room) {
  errno = 0;
  const auto now = static_cast<unsigned>(std::min<std::size_t>(room, INT_MAX));
  const int count = ::gzread(file_.get(), to, now);
  int state = Z_OK;
  (void)::gzerror(file_.get(), &state);
  // A file that was cut gives its last bytes first.
  if (count < 0 || (count == 0 && state != Z_OK && state != Z_STREAM_END)) {
    return failed(path_, "cannot be read", file_.get());
  }
  return static_cast<std::size_t>(count);
}

}  // namespace forewarp::trace
