// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/expected.h"
#include "launch/stages.h"
#include "request/predict_options.h"

namespace forewarp::driver {

/// The launch alone: extents, arguments and occupancy. Refuses what the GPU would not accept.
Expected<LaunchDraft> draft_launch(const LoadedKernel& code, const Gpu& gpu, const Case& request,
                                   const PredictOptions& options);

/// A launch that the GPU accepts, with what had to be assumed for it; no paths and no models yet.
/// Everything that can be refused without executing the kernel is refused here.
Expected<Drafted> draft(std::shared_ptr<const Loaded> loaded, const Case& request,
                        const PredictOptions& options);

/// The clock that the options, else the case, ask for.
[[nodiscard]] ClockChoice clock_choice(const Case& request, const PredictOptions& options);

}  // namespace forewarp::driver
