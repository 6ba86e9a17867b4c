// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "command_line.h"
#include "prediction_options.h"

namespace forewarp::cli {

/// Everything that a launch needs before it can be predicted and that was not given: input, GPU,
/// kernel, sizes, arguments. Empty: a grid and a block are given, or many launches, or what was
/// given cannot be read, which the command says itself. `one_gpu`: the command asks for a GPU.
[[nodiscard]] std::vector<MissingOption> missing_options(const PredictionOptions& given,
                                                         bool one_gpu);

}  // namespace forewarp::cli
