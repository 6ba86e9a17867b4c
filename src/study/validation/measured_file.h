// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "study/validation/measured_set.h"

namespace forewarp::study {

/// Reads a file by its content: cases (JSON lines), a description of a CSV file (TOML), what a
/// tuner measured (JSON), what a profiler exported (CSV).
/// Rows that make no case are points with a fault; only a file that cannot be read at all is
/// refused.
Expected<MeasuredSet> read_measured(const std::string& file, const MeasuredOptions& options);

/// What the case leaves open is taken from the command line; its GPU wins over every case's.
void add_defaults(const Case& defaults, Case& request);

}  // namespace forewarp::study
