// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/summary_view.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

std::string title_of(const Result& result) {
  std::vector<std::string> facts;
  if (!result.kernel.arch.empty()) facts.push_back(result.kernel.arch);
  if (result.gpu.sms > 0) facts.push_back(std::to_string(result.gpu.sms) + " SMs");
  if (result.gpu.clock_mhz > 0) facts.push_back(clock(result.gpu.clock_mhz));
  const std::string title = dash_if_empty(result.kernel.name) + " on " + gpu_label(result);
  return facts.empty() ? title : title + " (" + join(facts, ", ") + ')';
}

Entry time_entry(const Result& result) {
  const bool plain = result.timing.empty() || result.timing == "device";
  return {"time", duration(result.time_ms),
          joined({range_phrase(result), plain ? "" : "timing: " + result.timing}), Tone::strong};
}

/// "3 copies 12.3 ms, kernel 0.4 ms"; one entry a copy where they are few.
void add_copies(const Result& result, Facts& facts) {
  constexpr std::size_t few = 8;
  double sum = 0;
  for (const Result::Copy& copy : result.copies) sum += copy.time_ms;
  if (result.device_ms > 0) {
    facts.entries.push_back(
        {"kernel", duration(result.device_ms), "without copies and launch", Tone::plain});
  }
  facts.entries.push_back(
      {"copies", duration(sum),
       std::to_string(result.copies.size()) + " over " + result.link.name + ", one after the other",
       Tone::plain});
  for (const Result::Copy& copy : result.copies) {
    if (result.copies.size() > few) break;
    facts.entries.push_back({"  " + copy.direction, duration(copy.time_ms),
                             joined({bytes(copy.bytes), copy.memory, "model " + copy.model}),
                             Tone::plain});
  }
}

Entry model_entry(const Result& result) {
  return {"model", dash_if_empty(result.model),
          joined({result.chosen_because, named_texts(result.model_options)}), Tone::plain};
}

Entry occupancy_entry(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  std::string warps = std::to_string(occupancy.warps_per_sm);
  if (occupancy.max_warps_per_sm > 0) warps += " of " + std::to_string(occupancy.max_warps_per_sm);
  return {"occupancy", warps + " warps/SM", joined({blocks_phrase(result), needed_phrase(result)}),
          Tone::plain};
}

Entry latency_entry(const Result& result) {
  const std::string formula = latency_formula(result);
  return {"latency", number(result.latency.cycles) + " cycles",
          formula.empty() ? "of a lone warp" : "of a lone warp " + formula, Tone::plain};
}

/// What would help most: a cache that always hits only where nothing else does.
Entry free_entry(const Result& result) {
  const auto& rows = result.counterfactuals;
  const auto found = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
    return row.free.size() == 1 && !row.free.front().starts_with("perfect");
  });
  const Result::Counterfactual& best = found == rows.end() ? rows.front() : *found;
  return {"if free", best.label + ": " + figure(best.ratio, 3) + "x",
          "then limited by " + best.then, Tone::plain};
}

Entry launch_entry(const Result& result) {
  const Result::LaunchFacts& launch = result.launch;
  std::string shape = extent(launch.grid) + " blocks of " + extent(launch.block);
  if (launch.dynamic_shared > 0) shape += ", " + bytes(launch.dynamic_shared) + " shared";
  return {"launch", shape, joined({waves_phrase(result), named_texts(launch.arguments)}),
          Tone::plain};
}

}  // namespace

Section SummaryView::content(const Result& result) const {
  Section section{title_of(result), result.gpu.file, {}};
  for (const Result::Finding& finding : result.findings) {
    section.add(Note{"! " + finding.kind + ": " + finding.text, Tone::warning});
  }
  if (result.error) {
    section.add(Note{"error: " + result.error->line(), Tone::bad});
    section.add(Facts{{launch_entry(result)}});
    return section;
  }
  Facts facts;
  facts.entries.push_back(time_entry(result));
  if (!result.copies.empty()) add_copies(result, facts);
  facts.entries.push_back(model_entry(result));
  if (!result.models_differ.empty()) {
    facts.entries.push_back({"others", result.models_differ, "", Tone::plain});
  }
  facts.entries.push_back({"limited by", dash_if_empty(limit_phrase(result)), "", Tone::plain});
  if (!result.copies.empty() && result.device_ms == 0) {  // copies without a kernel
    section.add(std::move(facts));
    return section;
  }
  facts.entries.push_back(occupancy_entry(result));
  if (result.latency.cycles > 0) facts.entries.push_back(latency_entry(result));
  if (!result.counterfactuals.empty()) facts.entries.push_back(free_entry(result));
  facts.entries.push_back(launch_entry(result));
  section.add(std::move(facts));
  return section;
}

}  // namespace forewarp::report
