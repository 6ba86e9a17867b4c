// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "line_writer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace forewarp::cli {
namespace {

constexpr std::size_t flush_bytes = std::size_t{1} << 16U;

}  // namespace

LineWriter::LineWriter(std::string output, Clock::duration patience)
    : output_(std::move(output)), patience_(patience) {}

LineWriter::~LineWriter() {
  if (file_ > STDERR_FILENO) ::close(file_);
}

bool LineWriter::add(std::string_view line) {
  text_ += line;
  text_ += '\n';
  const bool due = text_.size() >= flush_bytes || Clock::now() - flushed_ >= patience_;
  return !due || flush();
}

Expected<void> LineWriter::finish() {
  if (flush()) return {};
  return Diagnostic{output_.empty() ? "standard output" : output_,
                    std::string("cannot be written: ") + std::strerror(error_), "", ""};
}

/// The file begins anew with the first line, not before.
bool LineWriter::flush() {
  constexpr int flags = O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC;
  if (error_ == 0 && file_ < 0) {
    file_ = output_.empty() ? STDOUT_FILENO : ::open(output_.c_str(), flags, 0666);
    if (file_ < 0) error_ = errno;
  }
  std::string_view rest = text_;
  while (error_ == 0 && !rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) error_ = errno;
  }
  text_.clear();
  flushed_ = Clock::now();
  return error_ == 0;
}

}  // namespace forewarp::cli
