// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "launch/arguments/signature.h"

namespace forewarp::explain {

/// What a launch leaves out: "n (int), x (float*)"; empty when every parameter was given.
[[nodiscard]] std::string missing_arguments(const Kernel& kernel, const BoundArguments& bound);

/// The words that would give them: "--arg n=NUMBER --arg x=buffer:BYTES".
[[nodiscard]] std::string options_of_missing(const Kernel& kernel, const BoundArguments& bound);

}  // namespace forewarp::explain
