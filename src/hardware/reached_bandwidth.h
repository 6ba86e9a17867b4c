// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/gpu.h"

namespace forewarp::hardware {

/// What the bandwidth of a board that reads and writes rests on, surest first.
enum class BandwidthBasis : std::uint8_t {
  stated,   ///< the user's --set
  copies,   ///< copies or triads on this board
  lattice,  ///< a lattice-Boltzmann code on this board; copies follow by a rule
  reads,    ///< reads on this board; copies as on others with this kind of memory
  kind,     ///< other boards with this kind of memory
};

/// "--set", "copies", "lattice", "reads", "class".
[[nodiscard]] std::string_view basis_name(BandwidthBasis basis);

/// The bandwidth that copies reach, and where it was measured.
struct ReachedBandwidth {
  double gbs = 0;
  BandwidthBasis basis = BandwidthBasis::kind;
  std::string source;

  /// Whether something was measured on this very board.
  [[nodiscard]] bool own() const { return basis != BandwidthBasis::kind; }
};

[[nodiscard]] ReachedBandwidth reached_bandwidth(const Gpu& gpu);

}  // namespace forewarp::hardware
