// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution/state/cells.h"
#include "execution/state/fault.h"

namespace forewarp::execution {

/// Which lanes of which registers hold unknown values, and their origins. While `any` is false all
/// members are zero and are not read.
struct Unknowns {
  bool any = false;
  std::vector<LaneMask> cells;
  std::vector<Origin> origins;
  /// Lanes of cells whose unknown values have names, and these; empty while there are none. See
  /// UnknownName.
  std::vector<LaneMask> named;
  std::vector<std::uint32_t> names;
  std::array<LaneMask, predicate::count> predicates{};
  std::array<Origin, predicate::count> predicate_origins{};

  void mark(std::uint32_t at, LaneMask lanes, LaneMask unknown, Origin origin) {
    if (unknown != 0) {
      any = true;
      origins[at] = origin;
    }
    cells[at] = (cells[at] & ~lanes) | unknown;
    if (!named.empty()) named[at] &= ~lanes;
  }
  void mark_predicate(std::uint8_t at, LaneMask lanes, LaneMask unknown, Origin origin) {
    if (unknown != 0) {
      any = true;
      predicate_origins[at] = origin;
    }
    predicates[at] = (predicates[at] & ~lanes) | unknown;
  }
};

}  // namespace forewarp::execution
