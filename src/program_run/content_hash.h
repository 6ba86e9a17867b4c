// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "base/mixed.h"

namespace forewarp::program_run {

/// A number of 64 bits for bytes: equal bytes have equal numbers, other bytes have others but for a
/// chance of about 2^-64. Four words are taken at a time, so that memory is the limit.
[[nodiscard]] inline std::uint64_t content_hash(const std::uint8_t* data, std::uint64_t bytes,
                                                std::uint64_t seed = 0) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t lane[4] = {seed, seed + odd, seed + 2 * odd, seed + 3 * odd};
  std::uint64_t at = 0;
  for (; at + sizeof lane <= bytes; at += sizeof lane) {
    std::uint64_t word[4];
    std::memcpy(word, data + at, sizeof word);
    for (unsigned i = 0; i < 4; ++i) {
      lane[i] = (lane[i] ^ word[i]) * odd;
      lane[i] ^= lane[i] >> 32;
    }
  }
  std::uint64_t all = mixed(bytes + seed);
  for (const std::uint64_t part : lane) all = mixed(all ^ part);
  for (; at < bytes; ++at) all = mixed(all ^ data[at]);
  return all;
}

}  // namespace forewarp::program_run
