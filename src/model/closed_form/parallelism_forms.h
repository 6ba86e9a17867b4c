// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/closed_form/closed_form.h"

namespace forewarp::model {

/// "mwp-cwp" (model/mwp_cwp.h) and "gpuperf" (model/gpu_perf.h) on given numbers.
[[nodiscard]] std::vector<ClosedForm> parallelism_forms();

}  // namespace forewarp::model
