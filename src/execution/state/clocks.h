// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/operand.h"

namespace forewarp::execution {

/// What an instruction of a warp alone takes, about, where nothing keeps time.
constexpr std::uint32_t nominal_cycles = 6, nominal_ns = 4;

/// Whether a special register counts cycles or nanoseconds.
[[nodiscard]] constexpr bool reads_time(SpecialRegister which) {
  return which == SpecialRegister::clock_lo || which == SpecialRegister::clock_hi ||
         which == SpecialRegister::global_timer_lo || which == SpecialRegister::global_timer_hi;
}

}  // namespace forewarp::execution
