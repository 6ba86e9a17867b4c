// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/board_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "report/content.h"
#include "report/documents/document_format.h"
#include "report/phrases.h"
#include "report/quantity.h"
#include "report/sinks/csv_sink.h"

namespace forewarp::report {
namespace {

std::string energy(double joules) {
  if (!(joules > 0)) return "-";
  return joules < 1e-3 ? figure(joules * 1e6, 3) + " uJ"
         : joules < 1  ? figure(joules * 1e3, 3) + " mJ"
                       : figure(joules, 3) + " J";
}

std::string energies(const std::array<double, 2>& range) {
  return range[1] > 0 ? energy(range[0]) + " .. " + energy(range[1]) : "-";
}

std::string boards(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " board" : " boards");
}

Table rows_of(const BoardTable& all) {
  Table table;
  table.columns = {{"", Align::left, ""},           {"board", Align::left, ""},
                   {"time", Align::right, ""},      {"90 % interval", Align::left, ""},
                   {"limited by", Align::left, ""}, {"power", Align::right, ""},
                   {"energy", Align::right, ""},    {"between", Align::left, ""},
                   {"copies at", Align::right, ""}, {"from", Align::left, ""}};
  if (!all.prices.empty()) table.columns.push_back({"cost/1000", Align::right, ""});
  for (const BoardTable::Row& row : all.rows) {
    const Result& r = row.result;
    std::vector<std::string> cells{row.front ? "*" : "",
                                   r.gpu.id,
                                   duration(r.time_ms),
                                   interval_text(r),
                                   limit_label(r),
                                   row.watts > 0 ? figure(row.watts, 3) + " W" : "-",
                                   energy(row.joules),
                                   energies(row.joules_range),
                                   figure(row.bandwidth_gbs, 3) + " GB/s",
                                   row.bandwidth_from + (row.unsure_rank ? " ~" : "")};
    if (!all.prices.empty()) {
      cells.push_back(row.cost_per_1000 ? figure(*row.cost_per_1000, 3) : "-");
    }
    table.rows.push_back({std::move(cells), row.front ? Tone::strong : Tone::plain, {}, 0});
  }
  return table;
}

Section refusals_of(const BoardTable& all) {
  Section section{"boards that cannot run it", "", {}};
  for (const BoardTable::Refused& reason : all.refused) {
    section.add(Note{boards(reason.ids.size()) + ": " + reason.reason +
                         (reason.way_out.empty() ? "" : "; " + reason.way_out),
                     Tone::plain});
  }
  return section;
}

Section method_of(const BoardTable& all) {
  Section section{"how", "", {}};
  const std::string costs = all.prices.empty() ? "" : ", cost";
  section.add(
      Note{"*: no other board is as good in time" + costs + " and energy, and better in one",
           Tone::plain});
  std::size_t measured = 0;
  for (const BoardTable::Row& row : all.rows) measured += row.measured_power ? 1 : 0;
  section.add(Note{
      "energy: power times time; power: standing, of the clock, and of every instruction and "
      "byte; where that is more than the limit the limit stands, and the board lowers its clock "
      "(--clock load); between: standing power over the shortest time, limit over the longest; "
      "power was measured on " +
          std::to_string(measured) + " of these boards, rules give the others' (docs/gpus.md)",
      Tone::plain});
  section.add(Note{
      "copies at: what code that reads as much as it writes reaches, from copies or a "
      "lattice-Boltzmann code on this board, or its class: other boards with this kind of memory "
      "(forewarp gpu list); the time is that of the launch's own mix of reads and writes, and one "
      "that mostly reads reaches more",
      Tone::plain});
  if (std::ranges::any_of(all.rows, &BoardTable::Row::unsure_rank)) {
    section.add(
        Note{"~: memory limits this board and the one above it, their bandwidths rest on "
             "different kinds of measurement, and their intervals overlap: these two may "
             "well change places",
             Tone::plain});
  }
  if (!all.prices.empty()) {
    section.add(Note{"cost/1000: of 1000 launches, in the currency of " + all.prices, Tone::plain});
  }
  if (!all.closer_look) {
    section.add(
        Note{"formulas and a short look at the caches: up to a sixth from what 'forewarp predict' "
             "says; --budget 0.5 looks at each board as closely, and says the same",
             Tone::plain});
  }
  return section;
}

/// What is assumed of every board, and what of some.
Section assumptions_of(const BoardTable& all) {
  struct Assumed {
    std::string text, change_with;
    std::size_t count = 0;
    bool alike = true;
  };
  // Of an id the first on every board, the second, ..
  std::map<std::pair<std::string, std::size_t>, Assumed> by_id;
  for (const BoardTable::Row& row : all.rows) {
    std::map<std::string, std::size_t> seen;
    for (const Result::Assumption& a : row.result.assumptions) {
      Assumed& known = by_id[{a.id, seen[a.id]++}];
      if (known.count > 0 && known.text != a.text) known.alike = false;
      if (known.count++ == 0) known.text = a.text;
      known.change_with = a.change_with;
    }
  }
  Section section{"assumptions", "", {}};
  Table table;
  table.columns = {{"id", Align::left, ""},
                   {"boards", Align::right, ""},
                   {"what is assumed", Align::text, ""},
                   {"change with", Align::text, ""}};
  for (const auto& [id, assumed] : by_id) {
    table.rows.push_back({{id.first, std::to_string(assumed.count),
                           assumed.text + (assumed.alike ? "" : "; others alike, by board"),
                           dash_if_empty(assumed.change_with)},
                          Tone::plain,
                          {},
                          0});
  }
  if (!table.rows.empty()) section.add(std::move(table));
  return section;
}

std::vector<Section> sections(const BoardTable& all) {
  const Result& first = all.rows.front().result;
  Section head{first.kernel.name + " on " + boards(all.rows.size()), first.kernel.input, {}};
  head.add(rows_of(all));
  std::vector<Section> list{std::move(head)};
  if (!all.refused.empty()) list.push_back(refusals_of(all));
  list.push_back(method_of(all));
  if (Section assumed = assumptions_of(all); !assumed.blocks.empty()) {
    list.push_back(std::move(assumed));
  }
  return list;
}

std::string write_text(const BoardTable& all, const TextStyle& style) {
  return as_text(sections(all), style);
}

std::string write_markdown(const BoardTable& all, const TextStyle&) {
  return as_markdown(sections(all));
}

std::string write_json(const BoardTable& all, const TextStyle&) {
  return to_json(all);
}

std::string write_csv(const BoardTable& all, const TextStyle&) {
  std::string out =
      "gpu,name,cc,time_ms,interval_low_ms,interval_high_ms,limited_by,model,watts,limit_w,joules,"
      "joules_low,joules_high,price_per_hour,cost_per_1000,front,bandwidth_gbs,bandwidth_from,"
      "unsure_rank\n";
  const auto n = [](double value) { return fmt::format("{}", value); };
  const auto o = [&](const std::optional<double>& value) { return value ? n(*value) : ""; };
  for (const BoardTable::Row& row : all.rows) {
    const Result& r = row.result;
    const std::vector<std::string> fields{r.gpu.id,
                                          r.gpu.name,
                                          r.gpu.cc,
                                          n(r.time_ms),
                                          n(r.interval_ms[0]),
                                          n(r.interval_ms[1]),
                                          r.limited_by.resource,
                                          r.model,
                                          n(row.watts),
                                          n(r.power.limit_w),
                                          n(row.joules),
                                          n(row.joules_range[0]),
                                          n(row.joules_range[1]),
                                          o(row.price_per_hour),
                                          o(row.cost_per_1000),
                                          row.front ? "1" : "0",
                                          n(row.bandwidth_gbs),
                                          row.bandwidth_from,
                                          row.unsure_rank ? "1" : "0"};
    out += csv_row(fields);
  }
  return out;
}

constexpr std::array<DocumentFormat<BoardTable>, 4> formats{
    {{"text", write_text}, {"markdown", write_markdown}, {"json", write_json}, {"csv", write_csv}}};

}  // namespace

Expected<std::string> render_boards(const BoardTable& table, std::string_view format,
                                    const TextStyle& style) {
  return render_as(formats, format, table, style, "a table of boards");
}

}  // namespace forewarp::report
