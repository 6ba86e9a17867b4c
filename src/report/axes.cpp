// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/axes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void fill_numbers(Axis& axis) {
  for (const std::string& value : axis.values) {
    const std::optional<double> number = parse_number(value);
    if (!number) return axis.numbers.clear();
    axis.numbers.push_back(*number);
  }
}

Axis axis_of(std::string name, const std::vector<Result>& results,
             const std::function<std::string(const Result&)>& value) {
  Axis axis{std::move(name), {}, {}};
  for (const Result& result : results) axis.values.push_back(value(result));
  fill_numbers(axis);
  return axis;
}

std::vector<Axis> pair_axes(const std::vector<Result>& results,
                            const std::function<const Pairs&(const Result&)>& pairs) {
  std::vector<Axis> axes;
  std::map<std::string, std::size_t, std::less<>> place;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const auto& [name, value] : pairs(results[i])) {
      const auto [found, is_new] = place.try_emplace(name, axes.size());
      if (is_new) axes.push_back({name, std::vector<std::string>(results.size()), {}});
      axes[found->second].values[i] = value;
    }
  }
  for (Axis& axis : axes) fill_numbers(axis);
  return axes;
}

/// Whether b says nothing that a does not: equal values of a go with equal values of b.
bool follows(const Axis& a, const Axis& b) {
  std::map<std::string_view, std::string_view> image;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const auto [found, is_new] = image.try_emplace(a.values[i], b.values[i]);
    if (!is_new && found->second != b.values[i]) return false;
  }
  return true;
}

Axis axis_of_model(const std::vector<Result>& results) {
  return axis_of("model", results, [](const Result& r) { return r.model; });
}

/// What a user chooses first.
std::vector<Axis> case_axes(const std::vector<Result>& results) {
  return {axis_of("kernel", results, [](const Result& r) { return r.kernel.name; }),
          axis_of("gpu", results, [](const Result& r) { return r.gpu.id; }),
          axis_of("grid", results, [](const Result& r) { return extent(r.launch.grid); }),
          axis_of("block", results, [](const Result& r) { return extent(r.launch.block); })};
}

/// What a kernel or a board may bring with it.
std::vector<Axis> detail_axes(const std::vector<Result>& results) {
  std::vector<Axis> axes{
      axis_of("clock_mhz", results,
              [](const Result& r) { return significant(r.gpu.clock_mhz, 6); }),
      axis_of("smem", results,
              [](const Result& r) { return std::to_string(r.launch.dynamic_shared); }),
      axis_of("registers", results,
              [](const Result& r) { return std::to_string(r.kernel.registers); })};
  for (Axis& axis : argument_axes(results)) axes.push_back(std::move(axis));
  return axes;
}

bool repeats(const std::vector<Axis>& known, const Axis& axis) {
  return std::ranges::any_of(known, [&](const Axis& other) { return follows(other, axis); });
}

}  // namespace

std::size_t Axis::distinct() const {
  return std::set<std::string_view>(values.begin(), values.end()).size();
}

std::vector<Axis> argument_axes(const std::vector<Result>& results) {
  return pair_axes(results, [](const Result& r) -> const Pairs& { return r.launch.arguments; });
}

std::vector<Axis> option_axes(const std::vector<Result>& results) {
  return pair_axes(results, [](const Result& r) -> const Pairs& { return r.options; });
}

std::vector<Axis> varying_axes(const std::vector<Result>& results) {
  const auto constant = [](const Axis& axis) { return axis.distinct() < 2; };
  std::vector<Axis> axes = case_axes(results);
  std::erase_if(axes, constant);
  std::vector<Axis> things = axes;
  std::erase_if(things,
                [](const Axis& axis) { return axis.name != "kernel" && axis.name != "gpu"; });
  for (Axis& axis : detail_axes(results)) {
    if (!constant(axis) && !repeats(things, axis)) axes.push_back(std::move(axis));
  }
  std::vector<Axis> options = option_axes(results);
  options.push_back(axis_of_model(results));
  for (Axis& option : options) {
    if (!constant(option) && !repeats(axes, option)) axes.push_back(std::move(option));
  }
  if (axes.empty()) {
    axes.push_back(axis_of("id", results, [](const Result& r) { return dash_if_empty(r.id); }));
  }
  return axes;
}

}  // namespace forewarp::report
