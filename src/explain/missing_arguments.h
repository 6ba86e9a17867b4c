// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "launch/arguments/signature.h"

namespace forewarp::explain {

/// The parameters that a launch does not give: "n (int), x (float*)"; empty: all are given.
[[nodiscard]] std::string missing_arguments(const Kernel& kernel, const BoundArguments& bound);

/// The options that would give them: "--arg n=NUMBER --arg x=buffer:BYTES".
[[nodiscard]] std::string options_of_missing(const Kernel& kernel, const BoundArguments& bound);

}  // namespace forewarp::explain
