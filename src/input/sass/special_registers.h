// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "program/operand.h"

namespace forewarp::input {

/// By name: SR_TID.X, SRZ; also as other assemblers spell them (SR_Tid_X, SR_ClockLo).
[[nodiscard]] SpecialRegister special_register_by_name(std::string_view name);

}  // namespace forewarp::input
