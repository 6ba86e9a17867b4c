// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hardware/collective_tables.h"
#include "model/collective/collective_time.h"
#include "system/engine/platform.h"
#include "system/engine/ring_plan.h"

namespace forewarp::system {

/// What collectives of a library ask of a GPU.
struct CollectiveChip {
  std::size_t generation = 0;
  double l2_bytes = 0;
};

/// The library, and the GPUs that the system has, by the name of their hardware.
struct CollectiveLibrary {
  CollectiveTables tables;
  std::map<std::string, CollectiveChip, std::less<>> chips;
};

/// Where a group's ranks stand, as the model of collectives asks, and which links a ring passes.
struct LibraryPlace {
  CollectivePlace place;
  /// From one unit to another, so much of what passes each link of a ring.
  struct Edge {
    std::size_t from = 0, to = 0;
    double share = 1;
  };
  std::vector<Edge> edges;
  std::vector<std::string> assumptions;
  std::string obstacle;  ///< why the library's model says nothing; empty: it does
  bool is_described =
      false;  ///< every link of the ring names hardware that GPUs exchange data over
};

/// `units`: where each rank runs; `ranks`: of the group.
LibraryPlace library_place(Platform& platform, const CollectiveLibrary& library,
                           const std::vector<std::size_t>& units, const Islands::Ranks& ranks);

}  // namespace forewarp::system
