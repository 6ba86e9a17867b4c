// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/evaluation.h"

namespace forewarp::validation {

/// Quotients per GPU and model over intensities, needed warps, published figures; points where
/// kept.
[[nodiscard]] std::string evaluation_text(const ModelEvaluation& evaluation);

}  // namespace forewarp::validation
