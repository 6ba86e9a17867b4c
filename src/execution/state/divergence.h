// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution/state/lanes.h"

namespace forewarp::execution {

/// What an entry of the control stack (before sm_70) is for.
enum class TokenKind : std::uint8_t { other_path, reconverge, loop_break, loop_next, call };

/// Lanes that resume at `pc` when the entry is popped.
struct StackToken {
  TokenKind kind = TokenKind::other_path;
  LaneMask lanes = 0;
  std::uint32_t pc = 0;
};

/// How often lanes gave way at one place, coming back in the same state.
struct VainTurns {
  std::uint32_t pc = 0;         ///< where they count
  std::uint32_t times = 0;      ///< that they gave way there
  std::uint32_t elsewhere = 0;  ///< times in a row that it was another place
  std::uint64_t print = 0;      ///< of their state at the last look
  bool polls = false;           ///< nothing changed from one look to the next
};

/// Lanes of a warp that wait at the same place, from sm_70 on.
struct LaneGroup {
  enum class State : std::uint8_t { ready, at_convergence, at_warp_sync, at_barrier };
  LaneMask lanes = 0;
  std::uint32_t pc = 0;
  State state = State::ready;
  std::uint8_t convergence = 0;  ///< at_convergence: register number
  LaneMask awaited = 0;          ///< at_warp_sync: all lanes that must arrive
  VainTurns vain;                ///< ready: before others had their turn
};

/// Where the lanes of a warp are that do not run at present.
struct Divergence {
  std::vector<StackToken> stack;  ///< before sm_70
  std::vector<LaneGroup> groups;  ///< from sm_70 on: all but the running one
  /// B0..B15 of each lane: the lanes that it will meet. Per lane, because groups that run apart may
  /// use one register.
  std::array<std::array<LaneMask, lane_count>, 16> convergence{};
  VainTurns vain;  ///< of the running lanes
};

}  // namespace forewarp::execution
