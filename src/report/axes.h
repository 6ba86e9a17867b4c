// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::report {

/// One thing that a set of results differs in: the GPU, the block, an argument, an option.
struct Axis {
  std::string name;
  std::vector<std::string> values;  ///< one per result; empty where a result has none
  std::vector<double> numbers;      ///< the same as numbers; empty when one of them is none

  [[nodiscard]] std::size_t distinct() const;
};

/// What varies among the results: kernel, gpu, grid, block; clock, shared memory, registers and
/// arguments unless they only follow from the kernel or the GPU; options and the model unless they
/// repeat what is there. When nothing varies, the id.
[[nodiscard]] std::vector<Axis> varying_axes(const std::vector<Result>& results);

/// All argument (option) names that any result has, in order of appearance, with their values.
[[nodiscard]] std::vector<Axis> argument_axes(const std::vector<Result>& results);
[[nodiscard]] std::vector<Axis> option_axes(const std::vector<Result>& results);

}  // namespace forewarp::report
