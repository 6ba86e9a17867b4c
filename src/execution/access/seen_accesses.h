// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "execution/access/access_stream.h"

namespace forewarp::execution {

/// What one instruction's recorded accesses look like.
struct SeenAccess {
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes = 4;    ///< per lane
  double times = 0;           ///< recorded
  std::int64_t step = 0;      ///< the commonest distance from lane to lane, bytes; without its sign
  double step_share = 0;      ///< of all neighbouring lanes: that lie so far apart
  std::uint64_t address = 0;  ///< of a first lane; of shared memory modulo the recorded phase
  std::uint64_t address_bits = 0;  ///< all addresses of all lanes, or-ed: what they have in common

  /// Whether every recorded lane's address is a multiple of a power of two.
  [[nodiscard]] bool aligned(std::uint64_t to) const { return (address_bits & (to - 1)) == 0; }
};

/// By instruction. A copy from global to shared memory is seen by its global side.
[[nodiscard]] std::map<std::uint32_t, SeenAccess> seen_accesses(const AccessStreams& streams);

}  // namespace forewarp::execution
