// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "measured/runs/run_statistics.h"

namespace forewarp::measured {

/// The numbers in one column of a CSV file; empty cells and "-" are left out. Without a name: the
/// only column, or time_ms. Refused: no such column, a cell that is no number, no number at all.
Expected<std::vector<double>> runs_in_column(std::string_view csv, std::string_view file,
                                             std::string_view column);

[[nodiscard]] std::string run_text(const RunStatistics& statistics);
[[nodiscard]] std::string run_json(const RunStatistics& statistics);

}  // namespace forewarp::measured
