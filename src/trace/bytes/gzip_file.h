// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/expected.h"
#include "trace/bytes/byte_source.h"

struct gzFile_s;

namespace forewarp::trace {

struct GzipCloser {
  void operator()(gzFile_s* file) const;
};
using GzipHandle = std::unique_ptr<gzFile_s, GzipCloser>;

/// Writes a gzip file; equal bytes give equal files.
class GzipWriter {
 public:
  static Expected<GzipWriter> create(const std::filesystem::path& path);
  Expected<void> write(std::string_view bytes);
  /// Completes the file; if it succeeds, everything is on disk.
  Expected<void> close();

 private:
  GzipWriter(std::filesystem::path path, GzipHandle file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;
  GzipHandle file_;
};

/// Reads a gzip file. Fails on a file of another kind and on one that ends too early.
class GzipSource : public ByteSource {
 public:
  static Expected<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path);

 private:
  GzipSource(std::filesystem::path path, GzipHandle file)
      : path_(std::move(path)), file_(std::move(file)) {}
  Expected<std::size_t> do_read(char* to, std::size_t room) override;

  std::filesystem::path path_;
  GzipHandle file_;
};

}  // namespace forewarp::trace
