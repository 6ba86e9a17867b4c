// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "request/text/plain_value.h"
#include "system/layers.h"

namespace forewarp::system {

/// Puts values into a system's file as it was read, before what it means is checked. A change is
/// "NAME.KEY=VALUE" with the name of a component, link, group or cluster, through groups as
/// "GROUP.NAME.KEY", or "KEY=VALUE" of the system itself; further keys lead into tables
/// ("c.gpu.power.idle_w=20"). The value is as in TOML; what is none is a text. Refused: a text
/// without '=', a name that nothing has.
Expected<void> apply_changes(PlainValue& system, const std::vector<std::string>& changes);

}  // namespace forewarp::system
