// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace forewarp::cli {

/// What the option parser refused, as the one line that every other refusal has: where, what was
/// met, which options or commands there are, and whose help tells more.
[[nodiscard]] Diagnostic usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace forewarp::cli
