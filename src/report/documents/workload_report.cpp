// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/workload_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "report/documents/document_format.h"
#include "report/quantity.h"
#include "report/sinks/csv_sink.h"

namespace forewarp::report {
namespace {

using Cell = WorkloadTable::Cell;
using Launch = WorkloadTable::Launch;

constexpr std::size_t most_columns = 4;  // boards beside each other in text

std::string name_of(const Launch& launch) {
  return launch.id.empty() ? dash_if_empty(launch.kernel) : launch.id;
}

double launches_of(const WorkloadTable& all) {
  double count = 0;
  for (const Launch& launch : all.launches) count += launch.count;
  return count;
}

/// "tensor cores 61 %, device memory 30 %": time by what limits, of the board's total.
std::string limits_of(const WorkloadTable& all, std::size_t board) {
  constexpr std::size_t most = 2;
  constexpr double least = 0.1;
  std::map<std::string, double> shares;
  for (const Launch& launch : all.launches) {
    const Cell& cell = launch.cells[board];
    if (!cell.error) shares[cell.limit_label] += cell.share;
  }
  std::vector<std::pair<std::string, double>> list(shares.begin(), shares.end());
  std::ranges::stable_sort(list, std::greater{}, &std::pair<std::string, double>::second);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
    if (i > 0 && list[i].second < least) break;
    text += (i > 0 ? ", " : "") + list[i].first + " " + percent(list[i].second);
  }
  return text;
}

Table totals_of(const WorkloadTable& all) {
  const bool measured = std::ranges::any_of(
      all.boards, [](const WorkloadTable::Board& board) { return board.measured_ms.has_value(); });
  Table table;
  table.columns = {{"board", Align::left, ""},
                   {"total", Align::right, ""},
                   {"90 % interval", Align::left, ""},
                   {"time limited by", Align::left, ""}};
  if (measured) table.columns.push_back({"measured", Align::right, ""});
  table.columns.push_back({"without", Align::left, ""});
  for (std::size_t b = 0; b < all.boards.size(); ++b) {
    const WorkloadTable::Board& board = all.boards[b];
    std::vector<std::string> cells{board.id, duration(board.total_ms),
                                   duration_range(board.interval_ms[0], board.interval_ms[1]),
                                   limits_of(all, b)};
    if (measured) cells.push_back(board.measured_ms ? duration(*board.measured_ms) : "-");
    cells.push_back(board.refused > 0 ? grouped(board.refused) + " launches" : "");
    table.rows.push_back(
        {std::move(cells), board.refused > 0 ? Tone::warning : Tone::plain, {}, 0});
  }
  return table;
}

std::string cell_text(const Launch& launch, const Cell& cell) {
  if (cell.error) return "refused";
  return duration(launch.count * cell.time_ms) + "  " + percent(cell.share) + "  " +
         cell.limit_label;
}

Section launches_section(const WorkloadTable& all) {
  const std::size_t boards = std::min(most_columns, all.boards.size());
  Section section{
      "kernels by board: time of all launches, share of the board's total, limit", "", {}};
  Table table;
  table.columns = {{"kernel", Align::left, ""}, {"launches", Align::right, ""}};
  for (std::size_t b = 0; b < boards; ++b)
    table.columns.push_back({all.boards[b].id, Align::left, ""});
  for (const Launch& launch : all.launches) {
    std::vector<std::string> cells{name_of(launch), grouped(launch.count)};
    for (std::size_t b = 0; b < boards; ++b) cells.push_back(cell_text(launch, launch.cells[b]));
    table.rows.push_back({std::move(cells), Tone::plain, {}, 0});
  }
  section.add(std::move(table));
  if (boards < all.boards.size()) {
    const std::size_t more = all.boards.size() - boards;
    section.add(Note{std::to_string(more) + (more == 1 ? " more board" : " more boards") +
                         ": --format csv, or name those wanted with --gpu",
                     Tone::faint});
  }
  return section;
}

Section notes_of(const WorkloadTable& all) {
  Section section{"how", "", {}};
  section.add(
      Note{"totals: launches one after the other; their intervals are added, as if all "
           "errors pointed the same way",
           Tone::plain});
  for (const std::string& note : all.notes) section.add(Note{note, Tone::plain});
  std::map<std::string, std::size_t> refusals;
  for (const Launch& launch : all.launches) {
    for (const Cell& cell : launch.cells) {
      if (cell.error) ++refusals[cell.error->line()];
    }
  }
  for (const auto& [text, times] : refusals)
    section.add(Note{std::to_string(times) + " refused: " + text, Tone::warning});
  return section;
}

std::vector<Section> sections(const WorkloadTable& all) {
  Section head{all.file,
               grouped(launches_of(all)) + " launches, " + std::to_string(all.launches.size()) +
                   " different",
               {}};
  head.add(totals_of(all));
  return {std::move(head), launches_section(all), notes_of(all)};
}

std::string write_text(const WorkloadTable& all, const TextStyle& style) {
  return as_text(sections(all), style);
}

std::string write_markdown(const WorkloadTable& all, const TextStyle&) {
  return as_markdown(sections(all));
}

std::string write_json(const WorkloadTable& all, const TextStyle&) {
  return to_json(all);
}

std::string write_csv(const WorkloadTable& all, const TextStyle&) {
  std::string out =
      "kernel,id,input,grid,block,count,gpu,time_ms,interval_low_ms,interval_high_ms,share,"
      "limited_by,limited_share,model,measured_ms,error\n";
  const auto n = [](double value) { return fmt::format("{}", value); };
  for (const Launch& launch : all.launches) {
    for (std::size_t b = 0; b < launch.cells.size(); ++b) {
      const Cell& cell = launch.cells[b];
      const auto known = [&](double value) { return cell.error ? std::string() : n(value); };
      const std::vector<std::string> fields{launch.kernel,
                                            launch.id,
                                            launch.input,
                                            extent(launch.grid),
                                            extent(launch.block),
                                            n(launch.count),
                                            all.boards[b].id,
                                            known(cell.time_ms),
                                            known(cell.interval_ms[0]),
                                            known(cell.interval_ms[1]),
                                            known(cell.share),
                                            cell.limited_by,
                                            known(cell.limit_share),
                                            cell.model,
                                            cell.measured_ms ? n(*cell.measured_ms) : "",
                                            cell.error ? cell.error->line() : ""};
      out += csv_row(fields);
    }
  }
  return out;
}

constexpr std::array<DocumentFormat<WorkloadTable>, 4> formats{
    {{"text", write_text}, {"markdown", write_markdown}, {"json", write_json}, {"csv", write_csv}}};

}  // namespace

Expected<std::string> render_workload(const WorkloadTable& table, std::string_view format,
                                      const TextStyle& style) {
  return render_as(formats, format, table, style, "a table of launches");
}

}  // namespace forewarp::report
