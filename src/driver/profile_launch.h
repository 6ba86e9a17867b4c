// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/profile_store.h"
#include "result/result.h"

namespace forewarp::driver {

/// The profile of a launch on a GPU: what `forewarp profile` shows.
Expected<Result> profile_launch(const LoadedKernel& loaded, const std::shared_ptr<const Gpu>& gpu,
                                const Case& request, const PredictOptions& options,
                                ProfileStore& store);

}  // namespace forewarp::driver
