// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace forewarp::cli {

/// The page docs/options.md, from the table of options.
[[nodiscard]] std::string option_page();

}  // namespace forewarp::cli
