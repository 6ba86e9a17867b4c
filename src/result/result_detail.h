// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace forewarp::result {

/// How many what-ifs a report shows: none, the single one that helps most, or all, with pairs.
enum class WhatIfDepth : std::uint8_t { none, best, all };

/// What a report may show beyond the numbers; each costs time to compute.
struct ResultDetail {
  bool listing = false;     ///< the annotated listing with the critical path
  bool provenance = false;  ///< the hardware numbers used, with their sources
  bool curve = false;       ///< occupancy over the block size
  bool stalls = true;       ///< shares of a warp's time by cause
  bool power = false;       ///< the board's power at this clock, and the energy of the launch
  bool simulation = false;  ///< of a simulated SM: timeline, stalls by instruction, occupancy
  WhatIfDepth counterfactuals = WhatIfDepth::none;  ///< the time if something were free

  /// Also all that `other` asks for.
  void add(const ResultDetail& other) {
    listing |= other.listing;
    provenance |= other.provenance;
    curve |= other.curve;
    stalls |= other.stalls;
    power |= other.power;
    simulation |= other.simulation;
    counterfactuals = std::max(counterfactuals, other.counterfactuals);
  }
};

/// The numbers alone.
inline constexpr ResultDetail no_detail{.stalls = false};

}  // namespace forewarp::result
