// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"

namespace forewarp::report {

/// One row per result after one header, fields quoted as RFC 4180 says. A number is the shortest
/// text that reads back unchanged; an absent value is empty. Columns:
///
///   id kernel gpu cc clock_mhz grid block dynamic_shared registers arg.NAME.. opt.NAME..
///   time_ms interval_low_ms interval_high_ms timing model limited_by limited_share
///   blocks_per_sm warps_per_sm max_warps_per_sm needed_warps waves latency_cycles
///   dram_read_bytes dram_write_bytes findings error
///
/// arg.NAME: every argument that a result has; opt.NAME: the options whose values differ.
[[nodiscard]] std::string csv(const std::vector<Result>& results, bool header);

/// The text, quoted if it has a comma, a quote or a line break.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The fields as one line, quoted where they must be, with its end.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& fields);

}  // namespace forewarp::report
