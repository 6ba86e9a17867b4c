// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/expected.h"
#include "execution/grid/path_profile.h"
#include "hardware/gpu.h"
#include "prediction/launch.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// Refuses numbers of `--set` or of a data file that would break the counting.
Expected<void> check_board(const Gpu& gpu, std::size_t resources);

/// Refuses options of which the kernel has nothing: a typing error must not pass as a prediction.
Expected<void> check_stated(const LoadedKernel& loaded, const PredictOptions& options);

/// Whether the user gives the share of a branch that the execution knows itself: a what-if.
[[nodiscard]] bool overrules_run(const LoadedKernel& loaded, const PredictOptions& options,
                                 const PathProfile& paths);

}  // namespace forewarp::prediction
