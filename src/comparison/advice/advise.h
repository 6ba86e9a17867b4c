// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "driver/predictor.h"
#include "result/advice.h"

namespace forewarp::comparison {

/// Tries every kind of edit that the launch gives evidence for, each alone, through the models, and
/// ranks those that gain. A launch that cannot be predicted is refused; an edit that cannot be, or
/// that makes the kernel do other work, is among `others` with the reason. `jobs`: threads; what
/// comes out does not depend on them.
Expected<Advice> advise(Predictor& predictor, const Case& request, const std::string& gpu,
                        const PredictOptions& options, unsigned jobs);

/// Why a kernel that ran in other blocks did not do the same, with what it did instead; empty:
/// nothing speaks against it.
[[nodiscard]] std::string other_work(const Result& now, const Result& then);

}  // namespace forewarp::comparison
