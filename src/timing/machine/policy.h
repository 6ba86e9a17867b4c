// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forewarp::timing {

/// Which of the ready warps a scheduler takes.
enum class Policy : std::uint8_t {
  round_robin,         ///< loose: the next ready one after the last (LRR)
  greedy_oldest,       ///< the last one while it can, else the oldest (GTO)
  greedy_youngest,     ///< the last one while it can, else the youngest (CGGTY)
  greedy_round_robin,  ///< the last one while it can, else the next in turn
  two_level,           ///< round robin in a group while it has a ready warp, then the next group
  variable_rate,       ///< one warp has every Rth slot, the others the rest in turn
};

inline constexpr std::array<std::string_view, 6> policy_names{"lrr", "gto",       "cggty",
                                                              "grr", "two-level", "variable-rate"};

struct PolicyChoice {
  Policy policy = Policy::greedy_round_robin;
  std::uint32_t group = 8;      ///< two-level: warps of a group
  std::uint32_t rate = 2;       ///< variable rate: R
  bool work_conserving = true;  ///< .. and a slot whose owner is not ready goes to another
};

}  // namespace forewarp::timing
