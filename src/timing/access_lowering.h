// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "binding/access_pattern.h"
#include "binding/resource_table.h"
#include "program/roles.h"
#include "timing/machine/timed_kernel.h"
#include "timing/timing_source.h"

namespace forewarp::timing {

/// What one memory instruction occupies on its way through the memory unit.
[[nodiscard]] TimedAccess lower_access(const TimingSource& source, const ResourceTable& table,
                                       const Instruction& instruction, const Roles& roles,
                                       const AccessPattern& pattern);

}  // namespace forewarp::timing
