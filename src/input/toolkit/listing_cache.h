// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace forewarp::input {

/// What a toolkit made of an input.
struct StoredListing {
  std::uint32_t sm = 0;  ///< the architecture of its code
  std::string toolkit;   ///< "CUDA 11.8 in /usr/bin"
  std::string text;
  std::string assumption;  ///< what was chosen in making it; usually empty
};

/// Listings by the content they were made from, one file each, verified when read. Failed writes
/// are ignored: the listing is then made again next time.
class ListingCache {
 public:
  /// With an empty folder nothing is cached.
  explicit ListingCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// $XDG_CACHE_HOME/forewarp/listings or ~/.cache/forewarp/listings; no cache without either.
  static ListingCache from_environment();

  /// `key`: see sha256_of. nullopt if absent or damaged.
  [[nodiscard]] std::optional<StoredListing> find(const std::string& key) const;
  void store(const std::string& key, const StoredListing& listing) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace forewarp::input
