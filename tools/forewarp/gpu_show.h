// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu.h"

namespace forewarp::cli {

/// A figure that is derived from the numbers of a GPU file.
struct DerivedFigure {
  std::string name, unit, formula;
  double value = 0;
};

[[nodiscard]] std::vector<DerivedFigure> derived_figures(const Gpu& gpu);

/// One line of a number with its unit, confidence and source; its note and alternatives below.
void add_fact(std::string& out, std::string_view name, const Fact& fact);

/// The same as one JSON object.
[[nodiscard]] std::string fact_as_json_text(const Fact& fact);

/// Every number with its unit, confidence, source, note and alternatives, grouped by table.
[[nodiscard]] std::string gpu_as_text(const Gpu& gpu);

/// The same as one JSON object.
[[nodiscard]] std::string gpu_as_json(const Gpu& gpu);

}  // namespace forewarp::cli
