// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "binding/bound_kernel.h"
#include "model/ordered_time.h"
#include "prediction/launch.h"
#include "prediction/query.h"
#include "prediction/trace.h"

namespace forewarp::prediction {

/// Follows a launch whose blocks wait for each other, or for a time to pass, in its board's time.
/// nullopt: it has no such order, or cannot be followed, which is then a finding. What was not
/// followed is among the assumptions. Fails if its blocks wait for ever.
[[nodiscard]] Expected<std::optional<OrderedTime>> follow_order(const Launch& launch,
                                                                const Trace& trace,
                                                                const Query& query,
                                                                const BoundKernel& kernel,
                                                                Notes& notes);

}  // namespace forewarp::prediction
