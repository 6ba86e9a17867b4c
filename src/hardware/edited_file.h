// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/database.h"
#include "hardware/fact_override.h"

namespace forewarp::hardware {

/// The text of a board's file in which each override states its number, with the source "edited"
/// and as assumed; all else as in the file of `id`, without its comments. Loaded by its path it is
/// that board with these overrides. Refused: as HardwareDatabase::load(), and numbers that a
/// board's own file cannot state.
[[nodiscard]] Expected<std::string> edited_file(const HardwareDatabase& database,
                                                std::string_view id,
                                                const std::vector<FactOverride>& overrides);

}  // namespace forewarp::hardware
