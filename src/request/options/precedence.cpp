// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/options/precedence.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "request/tables/work_budget.h"

namespace forewarp::request {
namespace {

constexpr std::array rows{
    Precedence{"gpu", {Origin::command_line, Origin::file}, "none: it has to be given"},
    Precedence{"link", {Origin::command_line, Origin::file}, "the host link of the board's file"},
    Precedence{"clock", {Origin::command_line, Origin::file}, "sustained"},
    Precedence{"timing", {Origin::command_line, Origin::file}, "device"},
    Precedence{"repeat", {Origin::command_line, Origin::file}, "cold"},
    Precedence{"overhead_us", {Origin::command_line, Origin::harness}, "the board's, by timing"},
    Precedence{"budget", {Origin::command_line}, "0.5 s"},
};

/// The strongest of the given values by the row of this name.
template <class T>
Given<T> strongest(std::string_view name, T fallback,
                   std::initializer_list<std::pair<Origin, std::optional<T>>> given) {
  const auto* const row =
      std::find_if(rows.begin(), rows.end(), [&](const Precedence& r) { return r.value == name; });
  for (const Origin origin : row->wins) {
    if (origin == Origin::fallback) break;
    for (const auto& [from, value] : given) {
      if (from == origin && value) return {*value, origin};
    }
  }
  return {std::move(fallback), Origin::fallback};
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::string_view origin_name(Origin origin) {
  constexpr std::string_view names[] = {"default", "file", "harness", "command line"};
  return names[static_cast<std::size_t>(origin)];
}

std::span<const Precedence> precedence() {
  return rows;
}

Given<std::string> gpu_of(const Case& request, const PredictOptions& options) {
  const auto asked = options.gpus.empty() ? std::nullopt : std::optional(options.gpus.front());
  return strongest<std::string>(
      "gpu", {}, {{Origin::command_line, asked}, {Origin::file, unless_empty(request.gpu)}});
}

Given<std::string> link_of(const Case& request, const PredictOptions& options) {
  return strongest<std::string>("link", {},
                                {{Origin::command_line, unless_empty(options.link)},
                                 {Origin::file, unless_empty(request.link)}});
}

Given<ClockChoice> clock_of(const Case& request, const PredictOptions& options) {
  return strongest<ClockChoice>(
      "clock", {}, {{Origin::command_line, options.clock}, {Origin::file, request.clock}});
}

Given<Timing> timing_of(const Case& request, const PredictOptions& options) {
  return strongest<Timing>(
      "timing", Timing::device,
      {{Origin::command_line, options.timing}, {Origin::file, request.timing}});
}

Given<Repeat> repeat_of(const Case& request, const PredictOptions& options) {
  return strongest<Repeat>(
      "repeat", Repeat::cold,
      {{Origin::command_line, options.repeat}, {Origin::file, request.repeat}});
}

Given<std::optional<double>> overhead_of(const Case& request, const PredictOptions& options) {
  using Overhead = std::optional<double>;
  // --timing asks for the board's figure; the harness's holds for the way in which it timed.
  const auto asked = options.timing ? std::optional<Overhead>(Overhead{}) : std::nullopt;
  const auto stated =
      request.overhead_us ? std::optional<Overhead>(request.overhead_us) : std::nullopt;
  return strongest<Overhead>("overhead_us", {},
                             {{Origin::command_line, asked}, {Origin::harness, stated}});
}

Given<double> budget_of(const PredictOptions& options) {
  return strongest<double>("budget", usual_budget_seconds,
                           {{Origin::command_line, options.budget_seconds}});
}

}  // namespace forewarp::request
