// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "comparison/comparison.h"
#include "prediction_options.h"

namespace forewarp::cli {

/// Keys of --a and --b, for help and messages.
[[nodiscard]] std::string side_keys();

/// One side of compare: `input` is code or a launch file; the common options hold unless `own`
/// (KEY=VALUE texts; `option` is their name in messages) overrides them.
Expected<ComparedSide> read_side(const PredictionOptions& common, const std::string& input,
                                 const std::vector<std::string>& own, const std::string& option);

/// The same from a case of a file.
Expected<ComparedSide> read_case_side(const PredictionOptions& common, Case request,
                                      const std::vector<std::string>& own,
                                      const std::string& option);

}  // namespace forewarp::cli
