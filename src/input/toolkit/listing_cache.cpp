// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/listing_cache.h"

#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "input/sha256.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

// File format: line 1 has this word, the architecture, and a hash of the architecture and all that
// follows; lines 2 and 3 the toolkit and the assumption; then the text.
constexpr std::string_view first_word = "forewarp-listing-5";

std::string absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

std::string digest_of(std::string_view architecture, std::string_view body) {
  return sha256_of(std::string(architecture) + '\n' + std::string(body));
}

std::optional<StoredListing> parse(const std::string& content) {
  const std::size_t line_end = content.find('\n');
  if (line_end == std::string::npos) return {};
  const auto head = split(std::string_view(content).substr(0, line_end), ' ');
  const std::string_view body = std::string_view(content).substr(line_end + 1);
  if (head.size() != 3 || head[0] != first_word || head[2] != digest_of(head[1], body)) return {};
  const auto sm = parse_integer(head[1]);
  const std::size_t toolkit_end = body.find('\n');
  const std::size_t assumption_end = body.find('\n', toolkit_end + 1);
  if (!sm || toolkit_end == std::string_view::npos || assumption_end == std::string_view::npos) {
    return {};
  }
  return StoredListing{static_cast<std::uint32_t>(*sm), std::string(body.substr(0, toolkit_end)),
                       std::string(body.substr(assumption_end + 1)),
                       std::string(body.substr(toolkit_end + 1, assumption_end - toolkit_end - 1))};
}

}  // namespace

ListingCache ListingCache::from_environment() {
  if (const std::string cache = absolute_folder("XDG_CACHE_HOME"); !cache.empty()) {
    return ListingCache(fs::path(cache) / "forewarp" / "listings");
  }
  if (const std::string home = absolute_folder("HOME"); !home.empty()) {
    return ListingCache(fs::path(home) / ".cache" / "forewarp" / "listings");
  }
  return ListingCache({});
}

fs::path ListingCache::file_of(const std::string& key) const {
  return folder_ / (key + ".sass");
}

std::optional<StoredListing> ListingCache::find(const std::string& key) const {
  if (folder_.empty()) return {};
  const auto content = read_file(file_of(key));
  return content ? parse(*content) : std::nullopt;
}

void ListingCache::store(const std::string& key, const StoredListing& listing) const {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const std::string body = listing.toolkit + '\n' + listing.assumption + '\n' + listing.text;
  const std::string sm = std::to_string(listing.sm);
  const std::string head = std::string(first_word) + ' ' + sm + ' ' + digest_of(sm, body) + '\n';
  static_cast<void>(write_file(file_of(key), head + body));
}

}  // namespace forewarp::input
