// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "driver/predictor.h"
#include "forewarp/prediction_options.h"
#include "scores/point_keeper.h"
#include "store/run_writer.h"

namespace forewarp::cli {

/// Points of a validation or a tuning space in a store.
Expected<std::unique_ptr<PointKeeper>> stored_keeper(Predictor& predictor, const std::string& file,
                                                     const RunStart& start);

/// Of a process that another one keeps points for.
[[nodiscard]] std::unique_ptr<PointKeeper> silent_keeper();

/// What a run added, in one line on standard error; the exit code: 1 where points failed or are
/// missing of `all`.
int tell_kept(const RunWriter& writer, const Delivery& delivery, std::uint64_t all);

}  // namespace forewarp::cli
