// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/axes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

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

std::vector<Axis> fixed_axes(const std::vector<Result>& results) {
  const auto axis = [&](const char* name, const std::function<std::string(const Result&)>& value) {
    return axis_of(name, results, value);
  };
  return {axis("kernel", [](const Result& r) { return r.kernel.name; }),
          axis("gpu", [](const Result& r) { return r.gpu.id; }),
          axis("clock_mhz", [](const Result& r) { return significant(r.gpu.clock_mhz, 6); }),
          axis("grid", [](const Result& r) { return extent(r.launch.grid); }),
          axis("block", [](const Result& r) { return extent(r.launch.block); }),
          axis("smem", [](const Result& r) { return std::to_string(r.launch.dynamic_shared); }),
          axis("registers", [](const Result& r) { return std::to_string(r.kernel.registers); })};
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
  std::vector<Axis> axes = fixed_axes(results);
  for (Axis& axis : argument_axes(results)) axes.push_back(std::move(axis));
  std::erase_if(axes, [](const Axis& axis) { return axis.distinct() < 2; });
  // The clock follows from the board when boards vary; it is an axis of its own only otherwise.
  const auto gpu = std::ranges::find(axes, "gpu", &Axis::name);
  if (gpu != axes.end()) {
    const Axis boards = *gpu;
    std::erase_if(
        axes, [&](const Axis& axis) { return axis.name == "clock_mhz" && follows(boards, axis); });
  }
  std::vector<Axis> options = option_axes(results);
  options.push_back(axis_of("model", results, [](const Result& r) { return r.model; }));
  for (Axis& option : options) {
    const bool repeats =
        std::ranges::any_of(axes, [&](const Axis& axis) { return follows(axis, option); });
    if (option.distinct() > 1 && !repeats) axes.push_back(std::move(option));
  }
  if (axes.empty()) {
    axes.push_back(axis_of("id", results, [](const Result& r) { return dash_if_empty(r.id); }));
  }
  return axes;
}

}  // namespace forewarp::report
