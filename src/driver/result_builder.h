// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/result_detail.h"
#include "launch/prepared.h"
#include "model/automatic/interval_rule.h"

namespace forewarp::driver {

/// Fills kernel, GPU and launch of a result, and what was assumed and found so far.
void describe_launch(const Drafted& drafted, const Notes& notes, Result& result);

/// Makes the rich result from the flat records. Refuses if no model of `auto` gives a time.
/// `intervals`: null if none are known.
Expected<Result> build_result(const Prepared& prepared, const ResultDetail& detail,
                              const IntervalTable* intervals = nullptr);

}  // namespace forewarp::driver
