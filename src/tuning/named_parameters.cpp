// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/named_parameters.h"

#include <algorithm>

#include "base/text.h"
#include "measured/tuners/source_names.h"

namespace forewarp::tuning {

Expected<void> check_named(const std::string& source, const Case& defaults,
                           const std::vector<std::string>& expressions,
                           const std::vector<std::string>& names) {
  auto known = read_source_names(source, defaults.kernel, defaults.compile_options);
  if (!known) return known.error();
  for (const std::string& expression : expressions) known->add(expression);
  for (const std::string& name : names) {
    if (known->may_name(name) || name.starts_with("block_size_")) continue;
    const auto meant = closest(name, {known->words.begin(), known->words.end()});
    return Diagnostic{"--param " + name,
                      "neither the source nor --grid, --block, --smem or --restrict names it",
                      "a macro of the source, or a name that one of these uses",
                      meant ? "did you mean '" + *meant + "'?" : ""};
  }
  return {};
}

std::string note_of_one_grid(const std::vector<MeasuredPoint>& points) {
  const auto differ = [&](auto extent) {
    return std::any_of(points.begin(), points.end(), [&](const MeasuredPoint& point) {
      return extent(point) != extent(points.front());
    });
  };
  const bool grids = differ([](const MeasuredPoint& point) { return point.request.launch.grid; });
  const bool blocks = differ([](const MeasuredPoint& point) { return point.request.launch.block; });
  if (grids || !blocks) return "";
  return "the grid is the same for blocks of every size, so that configurations may do different "
         "work; an expression such as --grid 'ceil(n / block_size_x)' follows the block";
}

}  // namespace forewarp::tuning
