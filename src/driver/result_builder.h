// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prediction/evaluation.h"
#include "result/result_detail.h"

namespace forewarp::model {
struct IntervalTable;
}

namespace forewarp::driver {

/// Fills kernel, GPU and launch of a result, and what was assumed and found so far.
void describe_launch(const Launch& launch, const Notes& notes, Result& result);

/// Makes the rich result from the flat records. `intervals`: null if none are known.
[[nodiscard]] Result build_result(const Evaluation& evaluation, const ResultDetail& detail,
                                  const IntervalTable* intervals = nullptr);

}  // namespace forewarp::driver
