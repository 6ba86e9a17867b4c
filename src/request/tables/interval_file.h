// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/expected.h"
#include "model/automatic/interval_rule.h"

namespace forewarp::request {

/// Reads a table of residuals (schema "forewarp.intervals/1"). Refuses a level outside 0 to 1, a
/// factor below 0, a low above 1 and a high below 1.
Expected<IntervalTable> parse_intervals(std::string_view toml, std::string_view file);

/// data/intervals.toml as it was when the program was built: residuals of this program's
/// predictions do not depend on the data folder in use.
Expected<std::shared_ptr<const IntervalTable>> own_intervals();

}  // namespace forewarp::request
