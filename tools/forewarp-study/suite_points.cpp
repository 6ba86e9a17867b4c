// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite_points.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "sweep/sweep_range.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view of_system = "system.";

void add(std::vector<std::string>& words, const char* option, const std::string& value) {
  words.emplace_back(option);
  words.push_back(value);
}

std::vector<std::string> common_words(const SimulateAsked& asked) {
  std::vector<std::string> words = {"simulate", asked.system, asked.application, "--no-interval"};
  for (const std::string& text : asked.set) add(words, "--set", text);
  for (const std::string& text : asked.processes) add(words, "--processes", text);
  for (const std::string& text : asked.change) add(words, "--change", text);
  if (!asked.kernels.empty()) add(words, "--kernels", asked.kernels);
  if (asked.beyond_memory) words.emplace_back("--beyond-memory");
  if (asked.instructions > 0) {
    add(words, "--most-instructions", std::to_string(asked.instructions));
  }
  if (asked.calls > 0) add(words, "--most-calls", std::to_string(asked.calls));
  return words;
}

}  // namespace

Expected<SuitePoints::Axis> SuitePoints::axis_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
    return Diagnostic{"--sweep " + text, "has no name and values",
                      "NAME=A,B,C or NAME=FROM:TO:STEP", ""};
  }
  Axis axis{text.substr(0, sign), {}};
  const std::string values = text.substr(sign + 1);
  if (values.find(':') == std::string::npos) {
    for (const std::string_view value : split(values, ',')) axis.values.emplace_back(trim(value));
    return axis;
  }
  const auto range = SweepRange::parse(values, text);
  if (!range) return range.error();
  if (range->count() > most_points) {
    return Diagnostic{"--sweep " + text, "has more than 1000000 values", "a larger step", ""};
  }
  for (std::uint64_t i = 0; i < range->count(); ++i) {
    const SweepRange::Number number = range->at(i);
    if (const auto* whole = std::get_if<std::int64_t>(&number)) {
      axis.values.push_back(std::to_string(*whole));
    } else {
      axis.values.push_back(fmt::format("{}", std::get<double>(number)));
    }
  }
  return axis;
}

Expected<SuitePoints> SuitePoints::parse(const SimulateAsked& asked) {
  SuitePoints points;
  points.common_ = common_words(asked);
  for (const std::string& text : asked.sweep) {
    auto axis = axis_of(text);
    if (!axis) return axis.error();
    for (const Axis& other : points.axes_) {
      if (other.name == axis->name) {
        return Diagnostic{"--sweep " + text, "'" + axis->name + "' is swept twice", "once", ""};
      }
    }
    if (points.count_ > most_points / axis->values.size()) {
      return Diagnostic{"--sweep " + text, "the suite has more than 1000000 runs", "fewer values",
                        ""};
    }
    points.count_ *= axis->values.size();
    points.axes_.push_back(*std::move(axis));
  }
  return points;
}

std::vector<std::string> SuitePoints::axes() const {
  std::vector<std::string> names;
  for (const Axis& axis : axes_) names.push_back(axis.name);
  return names;
}

std::vector<std::string> SuitePoints::values(std::uint64_t point) const {
  std::vector<std::string> values(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    values[i] = axes_[i].values[point % axes_[i].values.size()];
    point /= axes_[i].values.size();
  }
  return values;
}

std::vector<std::string> SuitePoints::words(std::uint64_t point) const {
  std::vector<std::string> words = common_;
  const std::vector<std::string> own = values(point);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::string& name = axes_[i].name;
    if (name.starts_with(of_system)) {
      add(words, "--change", name.substr(of_system.size()) + "=" + own[i]);
    } else {
      add(words, "--set", name + "=" + own[i]);
    }
  }
  add(words, "--format", "json");
  return words;
}

}  // namespace forewarp::cli
