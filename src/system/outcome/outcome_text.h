// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/outcome/outcome.h"

namespace forewarp::system {

/// The outcome as a page of text: times, energy, what limits, processes.
[[nodiscard]] std::string outcome_text(const Outcome& outcome);

}  // namespace forewarp::system
