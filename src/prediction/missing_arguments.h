// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "prediction/arguments/signature.h"

namespace forewarp::prediction {

/// The parameters that a launch does not give: "n (int), x (float*)"; empty: all are given.
[[nodiscard]] std::string missing_arguments(const Kernel& kernel, const BoundArguments& bound);

/// A parameter that a launch does not give: "--arg x=buffer:BYTES", "float*".
struct MissingArgument {
  std::string option, type;
};
[[nodiscard]] std::vector<MissingArgument> missing_argument_options(const Kernel& kernel,
                                                                    const BoundArguments& bound);

/// The options that would give them: "--arg n=NUMBER --arg x=buffer:BYTES".
[[nodiscard]] std::string options_of_missing(const Kernel& kernel, const BoundArguments& bound);

/// The message when neither the static analysis nor an execution gave counts: what is missing comes
/// first, once, with the options that give it; then the other ways out.
[[nodiscard]] Diagnostic without_counts(Diagnostic analysis,
                                        const std::optional<Diagnostic>& execution,
                                        const Kernel& kernel, const BoundArguments& bound);

}  // namespace forewarp::prediction
