// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/stalls_view.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/causes.h"
#include "report/quantity.h"
#include "result/labels.h"
#include "result/simulation_waits.h"

namespace forewarp::report {
namespace {

/// Stalls that vanish with the latencies, and those that vanish with the limits of rates.
std::string both_kinds(const Result& result) {
  double latencies = 0, rates = 0;
  for (const auto& [key, share] : result.stalls) {
    if (is_bandwidth_stall(key)) rates += share;
    if (is_latency_stall(key)) latencies += share;
  }
  if (result.simulation.cycles > 0) {
    return "IPC of an SM " + figure(result.simulation.ipc, 3);
  }
  if (latencies + rates <= 0) return "";
  return "latency stalls " + percent(latencies) + ", bandwidth stalls " + percent(rates);
}

constexpr std::size_t most_instructions = 8;

/// The instructions in front of which a simulation's warps waited longest, all in all.
Table waiting_instructions(const Result& result) {
  std::vector<const SimulationFacts::Instruction*> longest;
  double all = 0;
  for (const auto& instruction : result.simulation.instructions) {
    longest.push_back(&instruction);
    all += instruction.issues * waited(instruction);
  }
  const auto total = [](const auto* i) { return i->issues * waited(*i); };
  std::ranges::stable_sort(longest, std::greater{}, total);
  longest.resize(std::min(longest.size(), most_instructions));
  Table table;
  table.columns = {{"address", Align::right, ""}, {"of waiting", Align::right, ""},
                   {"", Align::bar, ""},          {"cycles", Align::right, ""},
                   {"for", Align::left, ""},      {"instruction", Align::code, ""}};
  for (const SimulationFacts::Instruction* seen : longest) {
    if (!(total(seen) > 0)) break;
    const auto line =
        std::ranges::find(result.listing, seen->address, &Result::ListingLine::address);
    table.rows.push_back(
        {{hex(seen->address, 4), percent(total(seen) / all), "", figure(waited(*seen), 3),
          causes_of(*seen, 2), line == result.listing.end() ? "" : std::string(trim(line->text))},
         Tone::plain,
         total(seen) / all,
         total(seen) / all});
  }
  return table;
}

}  // namespace

Section StallsView::content(const Result& result) const {
  const bool simulated = result.simulation.cycles > 0;
  Section section{
      simulated ? "stalls: where the schedulers' cycles go" : "stalls: where a warp's cycles go",
      both_kinds(result),
      {}};
  section.narrow = true;
  Table table;
  table.columns = {{"reason", Align::left, ""}, {"share", Align::right, ""}, {"", Align::bar, ""}};
  std::vector<std::pair<std::string, double>> stalls(result.stalls.begin(), result.stalls.end());
  std::ranges::stable_sort(stalls, std::greater{}, &std::pair<std::string, double>::second);
  for (const auto& [reason, share] : stalls) {
    table.rows.push_back(
        {{stall_label(result, reason), percent(share), ""}, Tone::plain, share, share});
  }
  section.add(std::move(table));
  if (result.simulation.instructions.empty()) return section;
  section.narrow = false;
  section.add(Note{"Warps wait longest for these; cycles are those of one issue:", Tone::plain});
  section.add(waiting_instructions(result));
  return section;
}

}  // namespace forewarp::report
