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

/// The rich result: made once, on demand, from the flat records.
[[nodiscard]] Result build_result(const Prepared& prepared, const ResultDetail& detail);

/// Annotated listing of the first model's latency path.
void add_listing(const Prepared& prepared, Result& result);

/// Hardware numbers that a prediction of this kernel rests on, with their sources.
void add_provenance(const Prepared& prepared, Result& result);

}  // namespace forewarp
