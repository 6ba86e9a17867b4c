// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Initial pages of random buffers, kept for all groups of blocks that touch them: creating one
/// costs as much as executing hundreds of instructions. Thread-safe.
class ContentPages {
 public:
  /// Writes the content of `buffer` from byte `offset` on, from the cache or newly made.
  void fill(const ExecutionBuffer& buffer, std::uint64_t offset, std::span<std::uint8_t> out);

 private:
  static constexpr std::size_t parts = 16;
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;
  /// All that determines the content of a page.
  struct Key {
    std::uint64_t offset = 0, bytes = 0, seed = 0;
    double low = 0, high = 0;
    std::string type;
    auto operator<=>(const Key&) const = default;
  };
  struct Part {
    std::mutex mutex;
    std::map<Key, std::vector<std::uint8_t>> pages;  ///< never removed
    std::size_t bytes = 0;
  };
  std::array<Part, parts> parts_;
};

}  // namespace forewarp::execution
