// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "binding/occupancy.h"

namespace forewarp::model {

/// What a block reaches on an SM with these limits, with the keys of docs/result.md: a limit that
/// the block does not have is null. `refusal`: the error of its launch; empty: it is accepted.
[[nodiscard]] nlohmann::ordered_json occupancy_json(const SmLimits& limits, const Occupancy& found,
                                                    const std::string& refusal);

}  // namespace forewarp::model
