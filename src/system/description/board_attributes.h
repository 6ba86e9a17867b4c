// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "system/description/system.h"

namespace forewarp::system {

/// Gives a unit the attributes that its board's description says (docs/system.md), except those
/// that the system's file has.
void add_board_attributes(const Gpu& board, Component& unit);

}  // namespace forewarp::system
