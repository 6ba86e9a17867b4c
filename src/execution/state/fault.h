// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "execution/state/lanes.h"

namespace forewarp::execution {

/// Where an unknown value comes from: the index of the instruction that loaded it, or a byte of the
/// parameter area that no argument gave.
using Origin = std::uint32_t;
inline constexpr Origin no_origin = 0xffffffffU;
inline constexpr Origin parameter_origin = 0x80000000U;  ///< plus the byte offset

/// Why a warp cannot go on.
struct Fault {
  enum class Kind : std::uint8_t {
    none,
    unknown_address,
    unknown_condition,
    unknown_target,
    unknown_map,  ///< a tensor copy without a map that is known
    bad_map,      ///< .. whose map does not fit it
    bad_target,
    unsupported,
    trap,
    stack_overflow,
    local_overflow,
    deadlock,
    step_limit,
  };
  Kind kind = Kind::none;
  LaneMask lanes = 0;
  std::uint32_t instruction = 0;  ///< index in the kernel
  Origin origin = no_origin;
  std::string detail;  ///< what is wrong; `unsupported`: the function that is called, if it is that

  /// Whether the kernel itself is wrong or never ends: static counts would hide that.
  [[nodiscard]] bool final() const {
    return kind == Kind::bad_target || kind == Kind::bad_map || kind == Kind::trap ||
           kind == Kind::deadlock || kind == Kind::step_limit;
  }
  explicit operator bool() const { return kind != Kind::none; }
};

}  // namespace forewarp::execution
