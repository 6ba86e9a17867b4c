// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/result_detail.h"
#include "launch/prepared.h"
#include "model/automatic/interval_rule.h"

namespace forewarp::driver {

/// Kernel, GPU and launch of a result, with what was assumed and found so far.
void describe_launch(const Drafted& drafted, const Notes& notes, Result& result);

/// The rich result: made once, on demand, from the flat records. Refused where no model of `auto`
/// gives a time. `intervals`: null where none are known.
Expected<Result> build_result(const Prepared& prepared, const ResultDetail& detail,
                              const IntervalTable* intervals = nullptr);

}  // namespace forewarp::driver
