// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "launch/prepared.h"

namespace forewarp::launch {
class ProfileStore;
}

namespace forewarp::driver {

/// The stages from a launch that its board accepts to the models that are asked for its time. Fails
/// with one line that says what stops the prediction; refuses before executing the kernel whatever
/// it can.
Expected<Prepared> prepare(std::shared_ptr<const Drafted> drafted, const Case& request,
                           const PredictOptions& options, ProfileStore* store);

/// The same from what the launch does: as executed, or as an edit made it.
Expected<Prepared> prepare(std::shared_ptr<const Executed> executed, const PredictOptions& options);

/// As above, with the launch drafted first.
Expected<Prepared> prepare(std::shared_ptr<const Loaded> loaded, const Case& request,
                           const PredictOptions& options, ProfileStore* store);

}  // namespace forewarp::driver
