// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "hardware/host_calls.h"
#include "hardware/link.h"

namespace forewarp::hardware {

/// What a host reaches on pageable memory in one direction, whatever link lies behind it.
struct HostPath {
  double gbs = 0;         ///< between user memory and the driver's pinned buffer; 0: not stated
  double startup_us = 0;  ///< per copy; 0: as the link says
};

/// A host as far as its GPUs feel it, as numbers; built from Facts. Zero: not stated, except for
/// first_touch_gbs, which is always there.
struct Host {
  std::string id, name, file;
  std::string copies_of;            ///< link whose pageable numbers were measured on this host
  std::array<HostPath, 2> paths{};  ///< by direction
  double piece_bytes = 0;           ///< of the driver's buffer; 0: as the link says
  double first_touch_gbs = 0;       ///< at which it gives out memory that nothing wrote before
  double launch_us = 0;             ///< from the call of a launch to the kernel's start
  double launch_call_us = 0;        ///< that putting something into a stream holds its process
  double call_us = 0;               ///< of one call that waits, reads an event or prints
  double graph_launch_us = 0;       ///< from the call of a graph's launch to its first node's start
  double graph_node_us = 0;         ///< from the end of what a node of a graph follows to its start
  HostCallCosts calls{};            ///< what calls of a program hold it
  Facts facts;                      ///< all of the above with provenance

  [[nodiscard]] const HostCallCost& call(HostCall call) const {
    return calls[static_cast<std::size_t>(call)];
  }
  [[nodiscard]] const HostPath& path(CopyDirection direction) const {
    return paths[static_cast<std::size_t>(direction)];
  }
  /// Whether its pageable copies in that direction are its own.
  [[nodiscard]] bool describes(CopyDirection direction) const { return path(direction).gbs > 0; }
  /// Whether the rate of first touches was measured on it, and what nodes of graphs take.
  [[nodiscard]] bool knows_first_touch() const;
  [[nodiscard]] bool knows_graph_nodes() const;
};

}  // namespace forewarp::hardware
