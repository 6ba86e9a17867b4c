// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/cache/disk_cache.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <vector>
#include <zlib.h>

#include "base/file.h"
#include "base/own_file.h"

namespace forewarp::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_word = "forewarp-kept-2 ";
constexpr std::size_t checksum_size = 8;  // hexadecimal digits

/// CRC-32: files of our own are guarded against damage, not against anybody, and every answer that
/// is known waits for it.
std::string checksum_of(std::string_view body) {
  const auto value = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  std::string digits(checksum_size, '0');
  std::array<char, checksum_size> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  std::copy(text.data(), end, digits.end() - (end - text.data()));
  return digits;
}

std::string absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

std::string program_stamp() {
  std::string stamp;
  std::error_code failure;
  for (const fs::path& file : own_files()) {
    const auto size = fs::file_size(file, failure);
    const auto time = fs::last_write_time(file, failure).time_since_epoch().count();
    stamp += file.string() + ' ' + std::to_string(size) + ' ' + std::to_string(time) + '\n';
  }
  return stamp;
}

std::string sealed(std::string_view body) {
  return std::string(first_word) + checksum_of(body) + '\n' + std::string(body);
}

std::optional<std::string_view> unsealed(std::string_view content) {
  const std::size_t head = first_word.size() + checksum_size + 1;
  if (content.size() < head || !content.starts_with(first_word) || content[head - 1] != '\n') {
    return {};
  }
  const std::string_view body = content.substr(head);
  if (content.substr(first_word.size(), checksum_size) != checksum_of(body)) return {};
  return body;
}

DiskCache DiskCache::named(const std::string& name, std::string extension, std::size_t most_entry) {
  if (const std::string cache = absolute_folder("XDG_CACHE_HOME"); !cache.empty()) {
    return {fs::path(cache) / "forewarp" / name, std::move(extension), most_entry};
  }
  if (const std::string home = absolute_folder("HOME"); !home.empty()) {
    return {fs::path(home) / ".cache" / "forewarp" / name, std::move(extension), most_entry};
  }
  return {{}, std::move(extension), most_entry};
}

fs::path DiskCache::file_of(const std::string& key) const {
  return folder_ / (key + extension_);
}

std::optional<std::string> DiskCache::find(const std::string& key) const {
  if (!keeps()) return {};
  auto content = read_file(file_of(key));
  if (!content) return {};
  const auto body = unsealed(*content);
  if (!body) return {};
  std::error_code ignored;
  fs::last_write_time(file_of(key), fs::file_time_type::clock::now(), ignored);
  content->erase(0, content->size() - body->size());
  return std::move(*content);
}

void DiskCache::store(const std::string& key, std::string_view body) const {
  if (!keeps() || body.size() > most_entry_) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  static_cast<void>(write_file(file_of(key), sealed(body)));
  // Keys are evenly distributed hashes, so about one store in 256 trims the folder.
  if (key.starts_with("00")) trim();
}

void DiskCache::trim(std::uintmax_t most) const {
  struct Entry {
    fs::file_time_type time;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t all = 0;
  std::error_code failure;
  for (fs::directory_iterator entry(folder_, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code gone;  // another process may remove the file meanwhile
    const std::uintmax_t bytes = entry->file_size(gone);
    const fs::file_time_type time = entry->last_write_time(gone);
    if (gone) continue;
    entries.push_back({time, bytes, entry->path()});
    all += bytes;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (all <= most) return;
    fs::remove(entry.path, failure);
    all -= entry.bytes;
  }
}

}  // namespace forewarp::base
