// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/validation.h"

namespace forewarp::validation {

/// How much of a validation is printed.
struct ValidationDetail {
  bool kernels = false;   ///< a line for every kernel on every GPU; else only if they are few
  bool groups = false;    ///< the medians of every sweep
  std::size_t worst = 3;  ///< points of each set with the largest errors
};

/// One table per set; of several sets, then one line for each.
[[nodiscard]] std::string validation_text(const Validation& validation,
                                          const ValidationDetail& detail);

}  // namespace forewarp::validation
