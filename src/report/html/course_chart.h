// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/content.h"

namespace forewarp::report::html {

/// A curve over time: steps with the area below them, the line dashed: an inline SVG.
[[nodiscard]] std::string course_chart(const Curve& curve);

}  // namespace forewarp::report::html
