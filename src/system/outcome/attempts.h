// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/outcome/outcome.h"

namespace forewarp::system {

/// Puts attempts that came to nothing before the one that began `began_s` after the first: time,
/// energy and timeline are those of all, and what was in vain is a part of the critical path.
void add_earlier(const Outcome& earlier, double began_s, Outcome& outcome);

/// What passes before the next attempt: its energy, and a part of each process's timeline.
void add_repair(const BrokenOff& broken, Outcome& outcome);

}  // namespace forewarp::system
