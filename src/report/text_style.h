// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::report {

/// How lines of text look; the command line decides (a terminal, NO_COLOR, its width).
struct TextStyle {
  bool colour = false;
  int width = 100;  ///< columns; sentences wrap there, tables may be wider
};

}  // namespace forewarp::report
