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

/// Where the lanes of an access to global memory go.
enum class LaneAddresses : std::uint8_t { strided, random };

/// One group of a synthetic kernel, repeated without end (Volkov 2016, 4.1 and 4.7): alpha
/// dependent additions and one other instruction, or 1/alpha others and one addition where alpha
/// < 1.
struct Workload {
  MixedWith other = MixedWith::memory;
  double alpha = 1;       ///< additions per other instruction; 0: no additions, infinity: no others
  std::uint32_t ilp = 1;  ///< independent chains of a thread, interleaved
  LaneAddresses lanes = LaneAddresses::strided;
  std::uint32_t stride = 1;  ///< words between the lanes' addresses, global memory
  std::uint32_t ways = 1;    ///< lanes that meet in one bank, shared memory

  /// Per chain and group.
  [[nodiscard]] std::uint32_t additions() const;
  [[nodiscard]] std::uint32_t others() const;
};

/// "memory", "sfu", "shared"; empty when there is no such word.
[[nodiscard]] std::string_view word_of(MixedWith other);

/// From `other[:NAME=VALUE,..]`: "memory:alpha=23,ilp=2,stride=2", "sfu:alpha=0.25",
/// "memory:random".
Expected<Workload> parse_workload(std::string_view text);

/// The form that parse_workload reads.
[[nodiscard]] std::string workload_text(const Workload& workload);

}  // namespace forewarp::synthetic
