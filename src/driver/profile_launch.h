// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/stages.h"
#include "request/predict_options.h"
#include "result/result.h"

namespace forewarp::launch {
class ProfileStore;
}

namespace forewarp::driver {

/// The profile of a launch on a GPU, which `forewarp profile` shows.
Expected<Result> profile_launch(const std::shared_ptr<const Loaded>& loaded, const Case& request,
                                const PredictOptions& options, ProfileStore& store);

}  // namespace forewarp::driver
