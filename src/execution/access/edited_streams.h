// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "execution/access/access_stream.h"

namespace forewarp::execution {

/// Changes one access in place: its bytes per lane and its lanes' addresses, in the order of the
/// lanes. Addresses of shared memory are known modulo AccessStreams::phase_bytes only.
using AccessChange = std::function<void(AccessShape&, std::span<std::uint64_t>)>;

/// What of recorded accesses becomes another.
struct StreamEdit {
  static constexpr std::uint32_t gone = 0xffffffffU;

  std::vector<std::uint32_t> numbers;  ///< by instruction: its number afterwards, or gone
  std::vector<bool> changed;           ///< by instruction: `change` looks at its accesses
  AccessChange change;                 ///< null: addresses stay
};

/// The same blocks and warps with other accesses, in the same order. The vectors of the edit are
/// parallel to `hints`.
[[nodiscard]] AccessStreams edited_streams(const AccessStreams& streams, const StreamEdit& edit);

}  // namespace forewarp::execution
