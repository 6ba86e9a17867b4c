// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "system/outcome/outcome.h"

namespace forewarp::system {

/// The outcome as one JSON object, "forewarp.simulation/1" (docs/system.md); `timeline`: with every
/// segment.
[[nodiscard]] std::string to_json(const Outcome& outcome, bool timeline);

/// Reads what to_json() wrote with a timeline.
Expected<Outcome> outcome_from_json(std::string_view text);

}  // namespace forewarp::system
