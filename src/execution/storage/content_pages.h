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

/// Pages of random buffers as they are before a launch, kept for the groups of blocks that touch
/// the same ones: to make one costs as much as to execute hundreds of instructions. Safe with
/// threads.
class ContentPages {
 public:
  /// Content of `buffer` from byte `offset` on, kept or made now.
  void fill(const ExecutionBuffer& buffer, std::uint64_t offset, std::span<std::uint8_t> out);

 private:
  static constexpr std::size_t parts = 16;
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;
  /// What a page holds follows from.
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
