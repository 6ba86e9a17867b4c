// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/content.h"

namespace forewarp::report::html {

/// A column per point, the marked one in the accent colour, the line dashed: an inline SVG.
[[nodiscard]] std::string occupancy_chart(const Curve& curve);

}  // namespace forewarp::report::html
