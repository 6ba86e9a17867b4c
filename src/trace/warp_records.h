// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/state/memory_access.h"

// The records of a warp: docs/trace.md says what they mean, byte by byte.
namespace forewarp::trace::trace_record {

/// Low three bits of a record's first byte. The five above hold its value, or `long_value` where
/// the rest of it follows.
enum Kind : std::uint8_t {
  run,      ///< value + 1 instructions one after the other; the guard holds for all that run
  jump,     ///< the next instruction is so far from the following one
  active,   ///< lanes that run from here on: all, or as listed
  guarded,  ///< one instruction whose guard holds for no lane, or for those listed
  again,    ///< an access like the last one of this instruction, so far behind it
  affine,   ///< an access: lanes at equal distances
  listed,   ///< an access: the distance of each lane from the one before
  kinds
};
inline constexpr unsigned kind_bits = 3;
inline constexpr std::uint64_t long_value = 31;

/// Value of `active`, `guarded`, `affine` and `listed`: whether a mask of lanes follows.
inline constexpr std::uint64_t usual_lanes = 0, listed_lanes = 1;

}  // namespace forewarp::trace::trace_record

namespace forewarp::trace {

/// What an access is but for its place: where each lane is from the first one.
struct AccessForm {
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;
  LaneMask lanes = 0;
  std::uint64_t base = 0;  ///< address of the first lane; 0 without lanes
  std::array<std::uint64_t, lane_count> offset{};

  AccessForm() = default;
  explicit AccessForm(const MemoryAccess& access);
  /// Everything but the place is the same.
  [[nodiscard]] bool same_shape(const MemoryAccess& access, std::uint64_t first) const;
  /// Puts the lanes' addresses into `access`.
  void spread(MemoryAccess& access) const;
};

/// Address of an access' first lane.
[[nodiscard]] std::uint64_t first_address(const MemoryAccess& access);

}  // namespace forewarp::trace
