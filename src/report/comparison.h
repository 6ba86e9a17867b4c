// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/content.h"
#include "result/result.h"

namespace forewarp::report {

/// Several results as one table: what varies, then the time with a bar, the limit and the
/// occupancy. Results without a time say why.
///
///   KERNEL on GPU: 8 predictions
///     block    time   ######....   range   limited by   warps/SM
///     fastest  block=256: 146.7 ms
[[nodiscard]] Section comparison(const std::vector<Result>& results);

/// "KERNEL on GPU: 8 predictions"; where there are several kernels or GPUs, how many.
[[nodiscard]] std::string comparison_title(const std::vector<Result>& results);

/// "block=256 a=128": the values of one result on the axes that vary.
[[nodiscard]] std::string where_of(const std::vector<Result>& results, std::size_t index);

}  // namespace forewarp::report
