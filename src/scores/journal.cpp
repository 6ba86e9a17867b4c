// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "result/validation_json.h"

namespace forewarp::scores {

namespace {

constexpr std::size_t digest_size = 16;  // of the 64 digits: against mishaps, not against malice

std::optional<KeyedPoint> read_journal_line(std::string_view line) {
  if (line.size() <= digest_size || line[digest_size] != ' ') return {};
  const std::string_view point = line.substr(digest_size + 1);
  if (line.substr(0, digest_size) != sha256_of(point).substr(0, digest_size)) return {};
  return read_point_line(point);
}

}  // namespace

std::string journal_line(const std::string& key, const ScoredPoint& point) {
  const std::string text = point_line(point, key);
  return sha256_of(text).substr(0, digest_size) + ' ' + text;
}

Journal::Journal(Journal&& other) noexcept
    : file_(std::exchange(other.file_, -1)), found_(std::move(other.found_)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(found_, other.found_);
  return *this;
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

Expected<Journal> Journal::open(const std::string& file) {
  Journal journal;
  if (file.empty()) return journal;
  journal.file_ =
      ::open(file.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC | O_NONBLOCK, 0666);
  if (journal.file_ < 0) {
    return Diagnostic{file, std::string("cannot be written: ") + std::strerror(errno),
                      "a place for the journal of finished points", "--journal FILE"};
  }
  const auto text = read_file(file);
  if (!text) return text.error();
  for (const std::string_view line : split(*text, '\n')) {
    auto keyed = read_journal_line(line);
    if (keyed) journal.found_[keyed->key] = std::move(keyed->point);
  }
  const bool cut_off = !text->empty() && text->back() != '\n';
  if (cut_off && ::write(journal.file_, "\n", 1) != 1) {
    return Diagnostic{file, "cannot be written", "", ""};
  }
  return journal;
}

const ScoredPoint* Journal::find(const std::string& key) const {
  const auto found = found_.find(key);
  return found == found_.end() ? nullptr : &found->second;
}

bool Journal::add(const std::string& key, const ScoredPoint& point) {
  if (file_ < 0) return true;
  const std::string line = journal_line(key, point) + '\n';
  const std::lock_guard lock(mutex_);
  return ::write(file_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace forewarp::scores
