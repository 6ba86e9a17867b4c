// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "hardware/database.h"

namespace forewarp::cli {

/// Answers every row of a CSV file with the columns cc, block, regs, static_smem, dynamic_smem,
/// carveout_config and block_barriers (found by name; lines starting with # are skipped). The
/// answer repeats these columns and appends blocks_per_sm, warps_per_sm and limiters.
Expected<std::string> occupancy_table(const HardwareDatabase& database, const std::string& path);

}  // namespace forewarp::cli
