// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "prediction/evaluation.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// Applies the calibrated factor of this kernel on this board: to the model's own option, else to
/// its time. An option that the user gives wins.
Expected<void> calibrate_run(const PredictOptions& options, Evaluation& evaluation, ModelRun& run);

/// Notes which of the board's numbers are calibrated (they are applied already), or that the file
/// has nothing that is used here.
void note_calibration(const PredictOptions& options, Evaluation& evaluation);

}  // namespace forewarp::prediction
