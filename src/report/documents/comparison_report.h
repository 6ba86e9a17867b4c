// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "report/text_style.h"
#include "result/comparison.h"

namespace forewarp::report {

/// Two sides beside each other. Formats: text, markdown, json (schema forewarp.comparison/1), csv
/// (one row per pair), html (one page). An unknown format is a diagnostic that lists them.
///
///   B takes 1.31x the time of A (29.49 -> 38.63 ms): ..
///                   A           B          change
///     time          29.49 ms    38.63 ms   x1.31
///     ..
///   what the change of time is made of
///     device memory traffic  x1.98  384 -> 768 bytes per warp
///   why
///     needed occupancy falls from 58 to 12 ..
Expected<std::string> render_comparisons(const Comparisons& comparisons, std::string_view format,
                                         const TextStyle& style);

}  // namespace forewarp::report
