// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/predictor.h"
#include "driver/prepared.h"

namespace forewarp {

/// What a model run looks at; refers to `prepared` and `demand`.
[[nodiscard]] ModelInput model_input(const Prepared& prepared, const ModelRun& run,
                                     const Demand& demand);

/// The time of one model run on a prepared launch.
[[nodiscard]] Prediction run_model(const Prepared& prepared, const ModelRun& run,
                                   const Demand& demand);

/// Kernel, GPU and launch of a result, with what was assumed and found so far.
void describe_launch(const Prepared& prepared, Result& result);

/// Why no model's time can be used.
[[nodiscard]] Diagnostic no_usable_model(const Prepared& prepared);

/// The rich result: made once, on demand, from the flat records. Refused where no model of `auto`
/// gives a time.
Expected<Result> build_result(const Prepared& prepared, const ResultDetail& detail);

/// Annotated listing of the latency path that a run used.
void add_listing(const Prepared& prepared, const ModelRun& run, Result& result);

/// Hardware numbers that a prediction of this kernel rests on, with their sources.
void add_provenance(const Prepared& prepared, Result& result);

}  // namespace forewarp
