// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "results_views.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "forewarp/line_writer.h"
#include "forewarp/prediction_options.h"
#include "store/merge.h"
#include "store/stored_runs.h"

namespace forewarp::cli {
namespace {

constexpr std::uint64_t most_rows = 100'000;  // of a table as text

std::string counted(std::uint64_t kept, std::uint64_t all) {
  return kept >= all ? std::to_string(all) : std::to_string(kept) + " of " + std::to_string(all);
}

TableRow list_row(const StoredRun& run) {
  return {static_cast<double>(run.id),
          run.kind,
          counted(run.kept, run.points),
          static_cast<double>(run.failed),
          run.begun,
          run.ended.empty() ? std::string("not ended") : run.ended,
          static_cast<double>(run.processes),
          run.tool_version,
          run.command};
}

Expected<int> list(StoredRuns& store, const ResultsOptions& order) {
  const auto runs = store.all();
  if (!runs) return runs.error();
  ResultsTable table;
  const bool text = order.format != "json";
  table.columns = {"run",   "kind",      "points",       "failed", "begun",
                   "ended", "processes", "tool_version", "command"};
  for (const StoredRun& run : *runs) table.rows.push_back(list_row(run));
  std::string shown;
  if (text) {
    shown = runs->empty() ? "no runs yet\n" : aligned_text(table);
  } else {
    std::vector<std::string> lines;
    for (const TableRow& row : table.rows) lines.push_back(json_line(table.columns, row));
    shown = "[" + join(lines, ",\n ") + "]\n";
  }
  if (auto written = deliver(shown, order.output); !written) return written.error();
  return 0;
}

/// The columns that were asked for, else those in which a row has something.
Expected<std::vector<std::size_t>> shown_columns(const StoredRun& run, const ResultsTable& table,
                                                 const std::vector<std::string>& asked) {
  std::vector<std::size_t> shown;
  for (const std::string& name : asked) {
    const auto found = std::find(table.columns.begin(), table.columns.end(), name);
    if (found == table.columns.end()) {
      return Diagnostic{"--columns", "'" + name + "' is no column of run " + std::to_string(run.id),
                        join(table.columns, ", "), ""};
    }
    shown.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  if (!asked.empty()) return shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i] == "bounds") continue;  // an object; export has it
    const bool any = std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& row) {
      return !std::holds_alternative<std::monostate>(row[i]);
    });
    if (any) shown.push_back(i);
  }
  return shown;
}

std::string run_title(const StoredRun& run) {
  std::string text = "run " + std::to_string(run.id) + ": " + run.command + '\n' +
                     counted(run.kept, run.points) + " points";
  if (run.failed > 0) text += ", " + std::to_string(run.failed) + " failed";
  return text + ", begun " + run.begun + (run.ended.empty() ? ", not ended" : "") + "\n\n";
}

Expected<int> show(StoredRuns& store, const StoredRun& run, const ResultsOptions& order) {
  if (order.detail >= 0) {
    const auto text = store.detail(run, static_cast<std::uint64_t>(order.detail));
    if (!text) return text.error();
    if (auto written = deliver(*text + '\n', order.output); !written) return written.error();
    return 0;
  }
  ResultsTable table;
  table.columns = StoredRuns::columns(run);
  RowQuery query{order.where, order.order, order.limit};
  if (query.limit == 0 || query.limit > most_rows) query.limit = most_rows;
  const auto read = store.rows(run, query, [&](TableRow& row) {
    table.rows.push_back(std::move(row));
    return true;
  });
  if (!read) return read.error();
  const auto columns = shown_columns(run, table, order.columns);
  if (!columns) return columns.error();
  ResultsTable shown;
  for (const std::size_t column : *columns) shown.columns.push_back(table.columns[column]);
  for (TableRow& row : table.rows) {
    TableRow& cells = shown.rows.emplace_back();
    for (const std::size_t column : *columns) cells.push_back(std::move(row[column]));
  }
  std::string text = run_title(run) + (shown.rows.empty() ? "no points\n" : aligned_text(shown));
  if (shown.rows.size() == query.limit && run.kept > query.limit) {
    text += "\nthe first " + std::to_string(query.limit) +
            "; --limit N, --where COLUMN=V, --order -time_ms, or 'results export' for all\n";
  }
  if (auto written = deliver(text, order.output); !written) return written.error();
  return 0;
}

std::string difference_text(const StoredRun& first, const StoredRun& second,
                            const RunDifference& found, const ResultsTable& table) {
  const std::uint64_t timed = found.equal + found.changed;
  std::string text = "run " + std::to_string(first.id) + ": " + first.command + "\nrun " +
                     std::to_string(second.id) + ": " + second.command + "\n\n" +
                     std::to_string(timed) + " points of both: " + std::to_string(found.equal) +
                     " equal, " + std::to_string(found.changed) + " changed";
  if (timed > 0) text += ", " + significant(found.mean_factor) + "x on average (geometric)";
  text += '\n';
  const auto more = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) text += std::to_string(count) + ' ' + what + '\n';
  };
  more(found.failed, "of both without a time in one of them");
  more(found.first_only, "in run " + std::to_string(first.id) + " only");
  more(found.second_only, "in run " + std::to_string(second.id) + " only");
  if (!table.rows.empty()) text += '\n' + aligned_text(table);
  return text;
}

Expected<int> diff(StoredRuns& store, const StoredRun& first, const ResultsOptions& order) {
  const auto second = store.run(order.runs[1]);
  if (!second) return second.error();
  const auto found = store.difference(first, *second, std::min(order.limit, most_rows));
  if (!found) return found.error();
  ResultsTable table;
  table.columns = first.axes;
  for (const char* name : {"first_ms", "second_ms", "factor"}) table.columns.emplace_back(name);
  for (const PointChange& change : found->changes) {
    TableRow row = change.axes;
    row.resize(first.axes.size());
    for (const double value : {change.first_ms, change.second_ms, change.factor()}) {
      row.emplace_back(value);
    }
    table.rows.push_back(std::move(row));
  }
  std::string text;
  if (order.format == "csv") {
    text = csv_header(table.columns) + '\n';
    for (const TableRow& row : table.rows) text += csv_line(row) + '\n';
  } else if (order.format == "json") {
    std::vector<std::string> lines;
    for (const TableRow& row : table.rows) lines.push_back(json_line(table.columns, row));
    text = "[" + join(lines, ",\n ") + "]\n";
  } else {
    text = difference_text(first, *second, *found, table);
  }
  if (auto written = deliver(text, order.output); !written) return written.error();
  return 0;
}

/// Row by row: a run of millions needs no memory.
Expected<int> export_rows(StoredRuns& store, const StoredRun& run, const ResultsOptions& order) {
  const std::vector<std::string> columns = StoredRuns::columns(run);
  const bool csv = order.format.empty() || order.format == "csv";
  const bool array = order.format == "json";
  LineWriter writer(order.output, std::chrono::milliseconds(20));
  if (csv) writer.add(csv_header(columns));
  std::string held;  // a line of an array waits for its comma
  if (array) held = "[";
  const auto read = store.rows(run, {order.where, order.order, order.limit}, [&](TableRow& row) {
    if (csv) return writer.add(csv_line(row));
    if (!array) return writer.add(json_line(columns, row));
    const bool first = held == "[";
    if (!first && !writer.add(held + ',')) return false;
    held = (first ? "[" : " ") + json_line(columns, row);
    return true;
  });
  if (!read) return read.error();
  if (array) writer.add(held + ']');
  if (auto written = writer.finish(); !written) return written.error();
  return 0;
}

Expected<int> merge(const ResultsOptions& order) {
  std::string text;
  std::vector<Diagnostic> refused;  // the others are merged all the same
  for (const std::string& file : order.files) {
    const auto merged = merge_stores(file, order.store);
    if (!merged) {
      refused.push_back(merged.error());
      continue;
    }
    text += file + ": " + std::to_string(merged->added) + " of " + std::to_string(merged->points) +
            " points added, " + std::to_string(merged->runs) + " new runs\n";
  }
  if (auto written = deliver(text, order.output); !written) return written.error();
  if (refused.empty()) return 0;
  for (std::size_t i = 0; i + 1 < refused.size(); ++i)
    std::fprintf(stderr, "forewarp: %s\n", refused[i].line().c_str());
  return refused.back();
}

}  // namespace

Expected<int> show_results(const ResultsOptions& order) {
  if (order.what == "merge") return merge(order);
  auto store = StoredRuns::open(order.store);
  if (!store) return std::move(store).error();
  if (order.what == "list") return list(*store, order);
  const auto run = store->run(order.runs.front());
  if (!run) return run.error();
  if (order.what == "diff") return diff(*store, *run, order);
  if (order.what == "show") return show(*store, *run, order);
  return export_rows(*store, *run, order);
}

}  // namespace forewarp::cli
