// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "launch/loaded_kernel.h"
#include "launch/prepared.h"

namespace forewarp::launch {
class ProfileStore;
}

namespace forewarp::driver {

/// The launch alone: extents, arguments, occupancy and whether the GPU would accept it.
Expected<LaunchDraft> draft_launch(const LoadedKernel& loaded, const Gpu& gpu, const Case& request,
                                   const PredictOptions& options);

/// A launch that the GPU accepts, with what had to be assumed for it; no paths and no models yet.
Expected<Prepared> prepare_launch(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                                  const Case& request, const PredictOptions& options);

/// Joins a kernel, a GPU and a launch: occupancy, launch check, paths, bound kernel, model runs.
/// With a store the kernel is executed and its counts are used; where it cannot be executed, and
/// without a store, they follow from the static analysis, which is then an assumption.
/// Fails with the one line of what stops the prediction.
Expected<Prepared> prepare(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                           const Case& request, const PredictOptions& options, ProfileStore* store);

}  // namespace forewarp::driver
