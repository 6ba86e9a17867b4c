// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forewarp::timing {

/// Which of the ready warps a scheduler takes.
enum class Policy : std::uint8_t {
  round_robin,         ///< loose: the next ready warp after the one that issued last (LRR)
  greedy_oldest,       ///< the last warp as long as it is ready, else the oldest (GTO)
  greedy_youngest,     ///< the last warp as long as it is ready, else the youngest (CGGTY)
  greedy_round_robin,  ///< the last warp as long as it is ready, else the next in turn
  two_level,           ///< round robin in a group until none of it is ready, then the next group
  variable_rate,       ///< one warp owns every Rth slot, the others share the rest in turn
};

inline constexpr std::array<std::string_view, 6> policy_names{"lrr", "gto",       "cggty",
                                                              "grr", "two-level", "variable-rate"};

struct PolicyChoice {
  Policy policy = Policy::greedy_round_robin;
  std::uint32_t group = 8;      ///< two-level: warps per group
  std::uint32_t rate = 2;       ///< variable rate: R
  bool work_conserving = true;  ///< variable rate: a slot that its owner cannot use goes to another
};

}  // namespace forewarp::timing
