// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/content.h"

namespace forewarp::report::html {

/// Lanes as bars over a common axis, a colour per kind, with keys above: an inline SVG.
[[nodiscard]] std::string lanes_chart(const Lanes& lanes);

}  // namespace forewarp::report::html
