// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::synthetic {

/// What additions are mixed with.
enum class MixedWith : std::uint8_t { memory, sfu, shared };

/// Address pattern of an access's lanes in global memory.
enum class LaneAddresses : std::uint8_t { strided, random };

/// One group of a synthetic kernel, repeated endlessly (Volkov 2016, 4.1 and 4.7): alpha dependent
/// additions and one other instruction or, if alpha < 1, one addition and 1/alpha others.
struct Workload {
  MixedWith other = MixedWith::memory;
  double alpha = 1;       ///< additions per other instruction; 0: no additions, infinity: no others
  std::uint32_t ilp = 1;  ///< independent, interleaved chains per thread
  LaneAddresses lanes = LaneAddresses::strided;
  std::uint32_t stride = 1;  ///< words between the lanes' addresses, global memory
  std::uint32_t ways = 1;    ///< lanes that access one bank, shared memory

  /// Per chain and group.
  [[nodiscard]] std::uint32_t additions() const;
  [[nodiscard]] std::uint32_t others() const;
};

/// "memory", "sfu", "shared".
[[nodiscard]] std::string_view word_of(MixedWith other);

/// Parses `other[:NAME=VALUE,..]`: "memory:alpha=23,ilp=2,stride=2", "sfu:alpha=0.25",
/// "memory:random".
Expected<Workload> parse_workload(std::string_view text);

/// The text that parse_workload reads.
[[nodiscard]] std::string workload_text(const Workload& workload);

}  // namespace forewarp::synthetic
