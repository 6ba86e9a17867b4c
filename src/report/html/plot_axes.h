// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/html/axis_scale.h"

namespace forewarp::report::html {

/// Size of a drawing and the margins that its axes and their texts take, in pixels.
struct PlotArea {
  double width = 0, height = 0;
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// The texts beside the ticks and at the end of the x axis.
struct AxisTexts {
  std::string (*x_tick)(double) = nullptr;
  std::string (*y_tick)(double) = nullptr;
  std::string_view x_title;
};

/// Both axes with their ticks, and a line across the drawing at each tick of y.
[[nodiscard]] std::string axes_markup(const PlotArea& area, const AxisScale& x, const AxisScale& y,
                                      const AxisTexts& texts);

}  // namespace forewarp::report::html
