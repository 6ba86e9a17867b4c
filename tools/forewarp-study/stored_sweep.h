// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "driver/predictor.h"
#include "forewarp/prediction_options.h"
#include "store/run_writer.h"
#include "sweep/points/point_runner.h"

namespace forewarp::cli {

struct KeptSweep {
  std::int64_t run = 0;
  int code = 0;  ///< 1: a point failed, or the run was ended
};

/// Every point of --sweep into the store; what it has is not computed again. Says what it did in
/// one line on standard output.
Expected<KeptSweep> stored_sweep(Predictor& predictor, const Asked& asked, const RunStart& start,
                                 PointRunner& runner);

}  // namespace forewarp::cli
