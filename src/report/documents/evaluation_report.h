// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/evaluation.h"

namespace forewarp::report {

/// One self-contained page: per GPU a drawing for every model of its throughput over that of the
/// reference, needed warps over intensity, and published figures beside ours.
[[nodiscard]] std::string evaluation_page(const ModelEvaluation& evaluation);

}  // namespace forewarp::report
