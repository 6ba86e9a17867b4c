// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "hardware/gpu.h"

namespace forewarp::binding {

/// What one block needs of an SM.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers = 0;       ///< per thread, as the compiler reports them
  std::uint32_t static_shared = 0;   ///< bytes, without the system's reserve
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::int32_t carveout_percent =
      -1;                          ///< preferred share of the largest carve-out; -1: the largest
  std::uint32_t barriers = 0;      ///< named barriers that the kernel uses; 0: no limit
  std::uint32_t most_threads = 0;  ///< per block, by the kernel's launch bounds; 0: no bound
  std::array<std::uint32_t, 3> required_block{};  ///< threads along x, y, z; 0: any block
  bool shared_opt_in = true;  ///< the kernel may use more than the default per block
};

/// One bit per resource, as several may be the limit at once.
enum class Limiter : std::uint8_t {
  none = 0,
  warps = 1,
  registers = 2,
  shared = 4,
  blocks = 8,
  barriers = 16
};

[[nodiscard]] constexpr Limiter operator|(Limiter a, Limiter b) {
  return static_cast<Limiter>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool has(Limiter set, Limiter one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

/// Names of all limiters in the set, in this order: "warps", "regs", "smem", "blocks", "barriers".
[[nodiscard]] std::vector<std::string> limiter_names(Limiter set);

/// A resource that the block does not use is no limit.
inline constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

/// Resident blocks and warps of one kernel on one SM, and each single limit in blocks.
struct Occupancy {
  std::uint32_t blocks = 0;
  std::uint32_t warps = 0;
  std::uint32_t warps_per_block = 0;
  Limiter limiters = Limiter::none;  ///< all limits equal to the minimum
  std::uint32_t by_warps = 0;
  std::uint32_t by_registers = 0;
  std::uint32_t by_shared = 0;
  std::uint32_t by_blocks = 0;
  std::uint32_t by_barriers = 0;
  std::uint32_t shared_charged = 0;   ///< bytes per block, rounded up, including the reserve
  std::uint32_t shared_carveout = 0;  ///< bytes of shared memory that the SM is configured for
};

/// Occupancy by the vendor's rules for compute capability 1.0 to 12.1. Does not allocate, as sweeps
/// call it for every launch point. Zero blocks: such a block does not launch.
[[nodiscard]] Occupancy occupancy(const SmLimits& limits, const BlockNeeds& needs);

/// Warps of a block, before rounding to allocation units.
[[nodiscard]] std::uint32_t warps_of(const SmLimits& limits, std::uint32_t threads);

/// Registers charged to a block by the driver's check at launch; `needs.registers` must be > 0.
[[nodiscard]] std::uint64_t registers_at_launch(const SmLimits& limits, const BlockNeeds& needs);

/// Largest static plus dynamic shared memory of a block, in bytes, without the reserve.
[[nodiscard]] std::uint32_t shared_limit(const SmLimits& limits, const BlockNeeds& needs);

/// Warps as a share of those that the SM can hold, and back (Volkov 2016, table 2.9).
[[nodiscard]] double relative_occupancy(const SmLimits& limits, double warps);
[[nodiscard]] double absolute_occupancy(const SmLimits& limits, double share);

}  // namespace forewarp::binding
