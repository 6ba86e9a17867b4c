// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/timeline_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "report/causes.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr std::size_t most_warps = 16;  // with a lane of their own
constexpr std::size_t most_rows = 16;   // of the table

/// An issue with names for its numbers.
struct Issue {
  double cycle = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, address = 0;
  std::string waited;
};

std::vector<Issue> issues_of(const SimulationFacts& simulation) {
  const auto whole = [](double number) {
    return number > 0 && number < 4e9 ? static_cast<std::uint32_t>(number) : 0U;
  };
  std::vector<Issue> issues;
  for (const auto& [cycle, scheduler, block, warp, address, cause] : simulation.timeline) {
    const std::uint32_t at = whole(cause);
    issues.push_back({cycle, whole(scheduler), whole(block), whole(warp), whole(address),
                      at < simulation.causes.size() ? simulation.causes[at] : ""});
  }
  return issues;
}

std::size_t place_of(std::vector<Lanes::Kind>& kinds, const Lanes::Kind& kind) {
  const auto found = std::ranges::find(kinds, kind.label, &Lanes::Kind::label);
  if (found != kinds.end()) return static_cast<std::size_t>(found - kinds.begin());
  kinds.push_back(kind);
  return kinds.size() - 1;
}

void add_piece(Lanes::Lane& lane, const Lanes::Piece& piece) {
  if (!(piece.to > piece.from)) return;
  if (!lane.pieces.empty() && lane.pieces.back().kind == piece.kind &&
      lane.pieces.back().to >= piece.from) {
    lane.pieces.back().to = std::max(lane.pieces.back().to, piece.to);
  } else {
    lane.pieces.push_back(piece);
  }
}

/// A lane per scheduler: it issues, or waits for what the next issue had waited for.
Lanes scheduler_lanes(const std::vector<Issue>& issues, double issue_cycles) {
  Lanes lanes;
  const std::size_t issuing = place_of(lanes.kinds, kind_of_cause("issue"));
  std::map<std::uint32_t, Lanes::Lane> by_scheduler;
  for (const Issue& issue : issues) {
    Lanes::Lane& lane = by_scheduler[issue.scheduler];
    const double since = lane.pieces.empty() ? 0 : lane.pieces.back().to;
    if (issue.cycle > since) {
      add_piece(lane, {since, issue.cycle, place_of(lanes.kinds, kind_of_cause(issue.waited))});
    }
    add_piece(lane, {issue.cycle, issue.cycle + issue_cycles, issuing});
  }
  for (auto& [scheduler, lane] : by_scheduler) {
    lane.label = "scheduler " + std::to_string(scheduler);
    lanes.lanes.push_back(std::move(lane));
  }
  return lanes;
}

std::string unit_of(const Result::ListingLine* line) {
  if (line == nullptr) return "instruction";
  return line->pipe.empty() ? dash_if_empty(line->instruction_class) : line->pipe;
}

/// A kind per unit: a letter of its name that no other has, and the next colour.
Lanes::Kind kind_of_unit(const std::string& unit, const std::vector<Lanes::Kind>& others) {
  Lanes::Kind kind{unit, '#', static_cast<int>(others.size())};
  for (const char c : unit) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter && std::ranges::find(others, c, &Lanes::Kind::symbol) == others.end()) {
      kind.symbol = c;
      break;
    }
  }
  return kind;
}

using Lines = std::map<std::uint32_t, const Result::ListingLine*>;

Lines lines_by_address(const Result& result) {
  Lines lines;
  for (const Result::ListingLine& line : result.listing) lines[line.address] = &line;
  return lines;
}

const Result::ListingLine* line_at(const Lines& lines, std::uint32_t address) {
  const auto found = lines.find(address);
  return found == lines.end() ? nullptr : found->second;
}

/// A lane per warp, of those that issued first: the units that its instructions went to.
Lanes warp_lanes(const std::vector<Issue>& issues, const Lines& lines, double issue_cycles) {
  Lanes lanes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places;
  for (const Issue& issue : issues) {
    const auto known = places.find({issue.block, issue.warp});
    if (known == places.end() && lanes.lanes.size() == most_warps) continue;
    const std::size_t at = known == places.end() ? lanes.lanes.size() : known->second;
    if (known == places.end()) {
      places[{issue.block, issue.warp}] = at;
      lanes.lanes.push_back(
          {"block " + std::to_string(issue.block) + " warp " + std::to_string(issue.warp), {}});
    }
    const std::string unit = unit_of(line_at(lines, issue.address));
    const std::size_t kind = place_of(lanes.kinds, kind_of_unit(unit, lanes.kinds));
    add_piece(lanes.lanes[at], {issue.cycle, issue.cycle + issue_cycles, kind});
  }
  return lanes;
}

Table table_of(const std::vector<Issue>& issues, const Lines& lines) {
  Table table;
  table.columns = {{"cycle", Align::right, ""},
                   {"scheduler", Align::right, ""},
                   {"block", Align::right, ""},
                   {"warp", Align::right, ""},
                   {"after waiting for", Align::left, ""},
                   {"address", Align::right, ""},
                   {"instruction", Align::code, ""}};
  for (std::size_t i = 0; i < std::min(issues.size(), most_rows); ++i) {
    const Issue& issue = issues[i];
    const Result::ListingLine* line = line_at(lines, issue.address);
    const bool nothing = issue.waited.empty() || issue.waited == "issue";
    table.rows.push_back(
        {{number(issue.cycle), std::to_string(issue.scheduler), std::to_string(issue.block),
          std::to_string(issue.warp), nothing ? "" : kind_of_cause(issue.waited).label,
          hex(issue.address, 4), line == nullptr ? "" : std::string(trim(line->text))},
         Tone::plain,
         std::nullopt});
  }
  return table;
}

}  // namespace

Section TimelineView::content(const Result& result) const {
  const SimulationFacts& simulation = result.simulation;
  const std::vector<Issue> issues = issues_of(simulation);
  Section section{"timeline", "", {}};
  if (issues.empty()) {
    section.add(Note{"this result carries no timeline; --model sim makes one", Tone::faint});
    return section;
  }
  const double slot = simulation.issue_cycles > 0 ? simulation.issue_cycles : 1;
  const double end = issues.back().cycle + slot;
  section.aside = "the first " + std::to_string(issues.size()) + " issues of one SM, of " +
                  number(std::round(simulation.followed_cycles)) + " cycles";
  const Lines lines = lines_by_address(result);
  for (Lanes lanes : {scheduler_lanes(issues, slot), warp_lanes(issues, lines, slot)}) {
    lanes.x_title = "cycles";
    lanes.end = end;
    section.add(std::move(lanes));
  }
  section.add(table_of(issues, lines));
  return section;
}

}  // namespace forewarp::report
