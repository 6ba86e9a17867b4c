// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "launch/prepared.h"
#include "request/predict_options.h"

namespace forewarp::driver {

/// A factor of this kernel on this board: into the model's own option, else on its time. What the
/// user states of that option wins.
Expected<void> calibrate_run(const PredictOptions& options, Prepared& prepared, ModelRun& run);

/// Says which of the board's numbers are calibrated (they are in it by now), and when the file has
/// nothing that is used here.
void note_calibration(const PredictOptions& options, Prepared& prepared);

}  // namespace forewarp::driver
