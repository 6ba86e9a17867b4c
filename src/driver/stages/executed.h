// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/expected.h"
#include "launch/stages.h"
#include "request/predict_options.h"

namespace forewarp::launch {
class ProfileStore;
}

namespace forewarp::driver {

/// Finds out what the launch does. With a store, the kernel is executed and replayed through the
/// caches, or recalled from an earlier execution; without one, or if it cannot be executed, counts
/// come from the static analysis, which is then an assumption. Fails if neither gives counts.
Expected<Executed> execute(std::shared_ptr<const Drafted> drafted, const Case& request,
                           const PredictOptions& options, ProfileStore* store);

/// An edited launch with its accesses replayed through the caches.
[[nodiscard]] Executed replayed(Executed edited, const Case& request,
                                const PredictOptions& options);

/// Instructions of a mean block over those of the typical one; 1 where blocks are about alike.
[[nodiscard]] double working_share(const LaunchProfile& profile);

}  // namespace forewarp::driver
