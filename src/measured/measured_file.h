// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "measured/points/measured_set.h"

namespace forewarp::measured {

/// Reads measurements; the content decides the format: cases (JSON lines), a description of a CSV
/// file (TOML), a tuner's results (JSON), a profiler's export (CSV). A row that makes no case
/// becomes a point with a fault; only a file that cannot be read at all is refused.
Expected<MeasuredSet> read_measured(const std::string& file, const MeasuredOptions& options);

/// Fills what the case leaves open from the command line; the command line's GPU wins over the
/// case's.
void add_defaults(const Case& defaults, Case& request);

}  // namespace forewarp::measured
