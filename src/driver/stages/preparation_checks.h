// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/expected.h"
#include "execution/grid/path_profile.h"
#include "hardware/gpu.h"
#include "launch/loaded_kernel.h"
#include "launch/prepared.h"
#include "request/predict_options.h"

namespace forewarp::driver {

/// Numbers that `--set` or a data file could break the counting with.
Expected<void> check_board(const Gpu& gpu, std::size_t resources);

/// An option that meets nothing is a slip of the pen: it must not pass for a prediction.
Expected<void> check_stated(const LoadedKernel& loaded, const PredictOptions& options);

/// Whether the user states the share of a branch that the run knows by itself: a what-if.
[[nodiscard]] bool overrules_run(const LoadedKernel& loaded, const PredictOptions& options,
                                 const PathProfile& paths);

}  // namespace forewarp::driver
