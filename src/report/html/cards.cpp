// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/cards.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

std::string card(std::string_view title, const std::string& big, const std::string& figure,
                 const std::vector<std::string>& lines, std::string_view classes = "") {
  std::string out = fmt::format("<div class=\"card {}\"><h2>{}</h2><div class=\"big\">{}</div>\n",
                                classes, escaped(title), big);
  if (!figure.empty()) out += "<div class=\"figure\">" + figure + "</div>\n";
  for (const std::string& line : lines) {
    if (!line.empty()) out += "<p>" + escaped(line) + "</p>\n";
  }
  return out + "</div>\n";
}

/// "146.7 ms" with the unit small.
std::string with_small_unit(const std::string& quantity) {
  const std::size_t blank = quantity.rfind(' ');
  if (blank == std::string::npos) return escaped(quantity);
  return escaped(quantity.substr(0, blank)) + " <small>" + escaped(quantity.substr(blank + 1)) +
         "</small>";
}

/// The interval as a band, every model that applies as a dot on it.
std::string range_strip(const Result& result) {
  double low = result.time_ms;
  double high = result.time_ms;
  const auto include = [&](double time) {
    if (!std::isfinite(time) || time <= 0) return;
    low = std::min(low, time);
    high = std::max(high, time);
  };
  for (const double end : result.interval_ms) include(end);
  for (const Result::ModelTime& model : result.models) {
    if (model.applies) include(model.time_ms);
  }
  if (!(high > low)) return "";
  const auto x = [&](double time) { return 8 + 244 * (time - low) / (high - low); };
  std::string out = "<svg viewBox=\"0 0 260 22\" role=\"img\" aria-label=\"range and models\">\n";
  const auto [from, to] = result.interval_ms;
  if (from > 0 && to >= from) {
    out += fmt::format(
        "<rect class=\"range\" x=\"{:.1f}\" y=\"5\" width=\"{:.1f}\" height=\"12\" rx=\"6\"/>\n",
        x(from) - 4, x(to) - x(from) + 8);
  }
  const auto dot = [&](double time, const std::string& name, bool chosen) {
    out += fmt::format(
        "<circle class=\"model{}\" cx=\"{:.1f}\" cy=\"11\" r=\"{}\"><title>{}: "
        "{}</title></circle>\n",
        chosen ? " chosen" : "", x(time), chosen ? 7 : 5, escaped(name), duration(time));
  };
  for (const Result::ModelTime& model : result.models) {
    const bool shown = model.applies && std::isfinite(model.time_ms) && model.time_ms > 0;
    if (shown && model.name != result.model) dot(model.time_ms, model.name, false);
  }
  dot(result.time_ms, dash_if_empty(result.model), true);
  return out + "</svg>";
}

std::string time_card(const Result& result) {
  std::string model = result.model.empty() ? "" : "model " + result.model;
  if (!model.empty() && !result.chosen_because.empty()) model += ": " + result.chosen_because;
  return card("Predicted time", with_small_unit(duration(result.time_ms)), range_strip(result),
              {range_phrase(result), model}, "main");
}

std::string limit_card(const Result& result) {
  return card("Limited by", escaped(limit_label(result)), "", {limit_phrase(result)});
}

std::string occupancy_card(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  std::string meter;
  std::string big = std::to_string(occupancy.warps_per_sm);
  if (occupancy.max_warps_per_sm > 0) {
    big += fmt::format(" <small>of {} warps/SM</small>", occupancy.max_warps_per_sm);
    meter = fmt::format("<div class=\"meter\"><span style=\"width:{:.1f}%\"></span></div>",
                        100.0 * occupancy.warps_per_sm / occupancy.max_warps_per_sm);
  }
  return card("Occupancy", big, meter, {blocks_phrase(result), needed_phrase(result)});
}

std::string latency_card(const Result& result) {
  if (!(result.latency.cycles > 0)) return "";
  return card("Latency of a lone warp",
              escaped(number(result.latency.cycles)) + " <small>cycles</small>", "",
              {latency_formula(result), waves_phrase(result)});
}

}  // namespace

std::string head_markup(const Result& result) {
  const Result::LaunchFacts& launch = result.launch;
  std::vector<std::string> chips{result.kernel.arch};
  if (result.gpu.sms > 0) chips.push_back(std::to_string(result.gpu.sms) + " SMs");
  chips.push_back(result.gpu.clock_mhz > 0 ? clock(result.gpu.clock_mhz) : "");
  chips.push_back(extent(launch.grid) + " blocks of " + extent(launch.block) + " threads");
  if (launch.dynamic_shared > 0) chips.push_back(bytes(launch.dynamic_shared) + " shared memory");
  for (const auto& [name, value] : launch.arguments) chips.push_back(name + " = " + value);
  std::string out = fmt::format(
      "<header><p class=\"eyebrow\">Forewarp prediction</p>\n<h1>{}</h1>\n"
      "<p class=\"subtitle\">on <b>{}</b></p>\n<ul class=\"chips\">",
      escaped(dash_if_empty(result.kernel.name)), escaped(gpu_label(result)));
  for (const std::string& chip : chips) {
    if (!chip.empty()) out += "<li>" + escaped(chip) + "</li>";
  }
  return out + "</ul></header>\n";
}

std::string alerts_markup(const Result& result) {
  std::string out;
  if (result.error) {
    out += "<div class=\"alert bad\"><b>No prediction.</b> " + escaped(result.error->line()) +
           "</div>\n";
  }
  for (const Result::Finding& finding : result.findings) {
    out += fmt::format("<div class=\"alert\"><b>{}</b> {}</div>\n", escaped(finding.kind),
                       escaped(finding.text));
  }
  return out;
}

std::string cards_markup(const Result& result) {
  if (result.error) return "";
  return "<div class=\"cards\">\n" + time_card(result) + limit_card(result) +
         occupancy_card(result) + latency_card(result) + "</div>\n";
}

}  // namespace forewarp::report::html
