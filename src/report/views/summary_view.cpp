// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/summary_view.h"

#include <cmath>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

std::string named_texts(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : texts) parts.push_back(name + '=' + value);
  return join(parts, " ");
}

/// Parts that are there, separated by "; ".
std::string sentence_of(std::vector<std::string> parts) {
  std::erase(parts, "");
  return join(parts, "; ");
}

std::string title_of(const Result& result) {
  std::vector<std::string> facts;
  if (!result.kernel.arch.empty()) facts.push_back(result.kernel.arch);
  if (result.gpu.sms > 0) facts.push_back(std::to_string(result.gpu.sms) + " SMs");
  if (result.gpu.clock_mhz > 0) facts.push_back(clock(result.gpu.clock_mhz));
  const std::string& gpu = result.gpu.name.empty() ? result.gpu.id : result.gpu.name;
  std::string title = dash_if_empty(result.kernel.name) + " on " + dash_if_empty(gpu);
  return facts.empty() ? title : title + " (" + join(facts, ", ") + ')';
}

Entry time_entry(const Result& result) {
  const auto [low, high] = result.interval_ms;
  const bool ranged = std::isfinite(low) && std::isfinite(high) && high > 0;
  std::string range;
  if (ranged) {
    range = duration_range(low, high);
    if (!result.interval_meaning.empty()) range += ": " + result.interval_meaning;
  }
  const bool plain = result.timing.empty() || result.timing == "device";
  return {"time", duration(result.time_ms),
          sentence_of({range, plain ? "" : "timing: " + result.timing}), Tone::strong};
}

Entry limit_entry(const Result& result) {
  const Result::LimitedBy& limit = result.limited_by;
  if (!limit.sentence.empty()) return {"limited by", limit.sentence, "", Tone::plain};
  const bool known = !limit.resource.empty();
  return {"limited by",
          known ? limit.resource + " (" + percent(limit.share) + " of the time)" : "-", "",
          Tone::plain};
}

Entry occupancy_entry(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  std::string warps = std::to_string(occupancy.warps_per_sm);
  if (occupancy.max_warps_per_sm > 0) warps += " of " + std::to_string(occupancy.max_warps_per_sm);
  std::string blocks = std::to_string(occupancy.blocks_per_sm) +
                       (occupancy.blocks_per_sm == 1 ? " block" : " blocks") + " per SM";
  if (!occupancy.limiter.empty()) blocks += ", limited by " + join(occupancy.limiter, " and ");
  std::string needed;
  if (std::isfinite(occupancy.needed_warps) && occupancy.needed_warps > 0) {
    needed = figure(occupancy.needed_warps, 3) + " warps hide the latency" +
             (occupancy.latency_hidden ? "" : ": not reached");
  }
  return {"occupancy", warps + " warps/SM", sentence_of({blocks, needed}), Tone::plain};
}

Entry latency_entry(const Result& result) {
  const std::string& formula = result.latency.formula;
  const bool constant = formula.empty() || parse_number(formula).has_value();
  return {"latency", number(result.latency.cycles) + " cycles",
          constant ? "of a lone warp" : "of a lone warp = " + formula, Tone::plain};
}

Entry launch_entry(const Result& result) {
  const Result::LaunchFacts& launch = result.launch;
  std::string shape = extent(launch.grid) + " blocks of " + extent(launch.block);
  if (launch.dynamic_shared > 0) shape += ", " + bytes(launch.dynamic_shared) + " shared";
  const bool waves = !result.error && result.occupancy.waves > 0;
  return {"launch", shape,
          sentence_of({waves ? figure(result.occupancy.waves) + " waves" : "",
                       named_texts(launch.arguments)}),
          Tone::plain};
}

}  // namespace

Section SummaryView::content(const Result& result) const {
  Section section{title_of(result), result.gpu.file, {}};
  for (const Result::Finding& finding : result.findings) {
    section.add(Note{"! " + finding.kind + ": " + finding.text, Tone::warning});
  }
  if (result.error) {
    section.add(Note{"error: " + *result.error, Tone::bad});
    section.add(Facts{{launch_entry(result)}});
    return section;
  }
  Facts facts;
  facts.entries.push_back(time_entry(result));
  facts.entries.push_back({"model", dash_if_empty(result.model),
                           sentence_of({result.chosen_because, named_texts(result.model_options)}),
                           Tone::plain});
  facts.entries.push_back(limit_entry(result));
  facts.entries.push_back(occupancy_entry(result));
  if (result.latency.cycles > 0) facts.entries.push_back(latency_entry(result));
  facts.entries.push_back(launch_entry(result));
  section.add(std::move(facts));
  return section;
}

}  // namespace forewarp::report
