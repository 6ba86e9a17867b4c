// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/stored_runs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "store/columns.h"
#include "store/schema.h"

namespace forewarp::store {

namespace {

constexpr const char* run_fields =
    "SELECT r.id, r.kind, r.command, r.tool_version, r.axes, r.points, r.begun, r.ended, "
    "r.processes, (SELECT count(*) FROM members m WHERE m.run = r.id), "
    "(SELECT count(*) FROM members m JOIN points p ON p.id = m.point WHERE m.run = r.id AND "
    "p.error IS NOT NULL) FROM runs r";

StoredRun read_run(const Statement& row) {
  StoredRun run;
  run.id = row.whole(0);
  run.kind = row.text(1);
  run.command = row.text(2);
  run.tool_version = row.text(3);
  run.axes = axes_names(row.text(4)).value_or(std::vector<std::string>{});
  run.points = static_cast<std::uint64_t>(row.whole(5));
  run.begun = row.text(6);
  run.ended = row.text(7);
  run.processes = static_cast<std::uint64_t>(row.whole(8));
  run.kept = static_cast<std::uint64_t>(row.whole(9));
  run.failed = static_cast<std::uint64_t>(row.whole(10));
  return run;
}

const std::vector<std::string>& subject_columns() {
  static const std::vector<std::string> names{"kernel", "gpu"};
  return names;
}

/// The expression of a column; axes are texts of the user, so they go by their position.
std::optional<std::string> expression(const StoredRun& run, const std::string& column) {
  const auto axis = std::find(run.axes.begin(), run.axes.end(), column);
  if (axis != run.axes.end()) {
    return "json_extract(m.axes, '$[" + std::to_string(axis - run.axes.begin()) + "]')";
  }
  if (column == "kernel") return "i.kernel";
  if (column == "gpu") return "g.name";
  const auto& figures = point_columns();
  if (std::find(figures.begin(), figures.end(), column) == figures.end()) return {};
  return "p." + column;
}

Diagnostic unknown_column(const StoredRun& run, const std::string& place,
                          const std::string& column) {
  return {place, "'" + column + "' is no column of run " + std::to_string(run.id),
          join(StoredRuns::columns(run), ", "), ""};
}

struct Condition {
  std::string sql, value;
};

Expected<Condition> read_condition(const StoredRun& run, const std::string& text, int parameter) {
  const std::size_t at = text.find_first_of("=!<>");
  if (at == std::string::npos || at == 0) {
    return Diagnostic{"--where " + text, "has no comparison", "COLUMN=V, or != < <= > >=", ""};
  }
  const bool two = at + 1 < text.size() && text[at + 1] == '=';
  const std::string sign = text.substr(at, two ? 2 : 1);
  if (sign == "!" || sign == "==") {
    return Diagnostic{"--where " + text, "'" + sign + "' compares nothing", "= != < <= > >=", ""};
  }
  const std::string column(trim(text.substr(0, at)));
  const auto sql = expression(run, column);
  if (!sql) return unknown_column(run, "--where " + text, column);
  return Condition{*sql + ' ' + sign + " ?" + std::to_string(parameter),
                   std::string(trim(text.substr(at + sign.size())))};
}

Expected<std::string> order_clause(const StoredRun& run, const std::string& order) {
  if (order.empty()) return std::string(" ORDER BY m.number");
  const bool down = order.front() == '-';
  const std::string column = down ? order.substr(1) : order;
  const auto sql = expression(run, column);
  if (!sql) return unknown_column(run, "--order " + order, column);
  return " ORDER BY " + *sql + (down ? " DESC" : "") + ", m.number";
}

TableCell cell_of(const Statement& row, int column) {
  if (row.is_nothing(column)) return {};
  if (row.is_number(column)) return row.number(column);
  return row.text(column);
}

/// The cells of columns(); axes that cannot be read are empty.
TableRow read_row(const Statement& row, std::size_t axes) {
  TableRow cells{cell_of(row, 0), cell_of(row, 1)};
  auto values = axes_values(row.text(2));
  if (!values) values.emplace();
  values->resize(axes);
  for (TableCell& value : *values) cells.push_back(std::move(value));
  for (std::size_t i = 0; i < point_columns().size(); ++i) {
    cells.push_back(cell_of(row, static_cast<int>(i) + 3));
  }
  return cells;
}

}  // namespace

Expected<StoredRuns> StoredRuns::open(const std::string& file) {
  auto database = Database::open(file, Database::Access::write);
  if (!database) return std::move(database).error();
  if (auto fine = bring_up_to_date(*database); !fine) return fine.error();
  return StoredRuns(std::move(*database));
}

Expected<std::vector<StoredRun>> StoredRuns::all() {
  auto rows = database_.prepare(std::string(run_fields) + " ORDER BY r.id");
  if (!rows) return std::move(rows).error();
  std::vector<StoredRun> runs;
  Step step = Step::row;
  while ((step = rows->step()) == Step::row) runs.push_back(read_run(*rows));
  if (step == Step::failed) return database_.fault();
  if (auto whole = database_.read_at_one_time(); !whole) return whole.error();
  return runs;
}

Expected<StoredRun> StoredRuns::run(std::int64_t id) {
  auto rows = database_.prepare(std::string(run_fields) + " WHERE r.id = ?1");
  if (!rows) return std::move(rows).error();
  rows->bind(1, id);
  const Step step = rows->step();
  if (step == Step::failed) return database_.fault();
  if (step == Step::row) return read_run(*rows);
  const auto most = database_.number("SELECT coalesce(max(id), 0) FROM runs");
  if (!most) return most.error();
  return Diagnostic{database_.file(), "has no run " + std::to_string(id),
                    *most == 0 ? "a run" : "1 to " + std::to_string(*most),
                    "forewarp results list shows them"};
}

std::vector<std::string> StoredRuns::columns(const StoredRun& run) {
  std::vector<std::string> names = subject_columns();
  names.insert(names.end(), run.axes.begin(), run.axes.end());
  names.insert(names.end(), point_columns().begin(), point_columns().end());
  return names;
}

Expected<void> StoredRuns::rows(const StoredRun& run, const RowQuery& query,
                                const std::function<bool(TableRow& row)>& sink) {
  std::string figures;
  for (const std::string& name : point_columns()) figures += ", p." + name;
  std::string sql = "SELECT i.kernel, g.name, m.axes" + figures +
                    " FROM members m JOIN points p ON p.id = m.point LEFT JOIN inputs i ON "
                    "i.id = p.input LEFT JOIN gpus g ON g.id = p.gpu WHERE m.run = ?1";
  std::vector<std::string> values;
  for (const std::string& text : query.where) {
    auto condition = read_condition(run, text, static_cast<int>(values.size()) + 2);
    if (!condition) return condition.error();
    sql += " AND " + condition->sql;
    values.push_back(std::move(condition->value));
  }
  const auto order = order_clause(run, query.order);
  if (!order) return order.error();
  sql += *order;
  if (query.limit > 0) sql += " LIMIT " + std::to_string(query.limit);
  auto rows = database_.prepare(sql);
  if (!rows) return std::move(rows).error();
  rows->bind(1, run.id);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int parameter = static_cast<int>(i) + 2;
    if (const auto number = parse_number(values[i])) {
      rows->bind(parameter, *number);
    } else {
      rows->bind(parameter, std::string_view(values[i]));
    }
  }
  Step step = Step::row;
  while ((step = rows->step()) == Step::row) {
    TableRow row = read_row(*rows, run.axes.size());
    if (!sink(row)) return {};
  }
  if (step == Step::failed) return database_.fault();
  return {};
}

Expected<std::string> StoredRuns::detail(const StoredRun& run, std::uint64_t number) {
  auto rows = database_.prepare(
      "SELECT p.detail FROM members m JOIN points p ON p.id = m.point WHERE m.run = ?1 AND "
      "m.number = ?2");
  if (!rows) return std::move(rows).error();
  rows->bind(1, run.id);
  rows->bind(2, static_cast<std::int64_t>(number));
  const Step step = rows->step();
  if (step == Step::failed) return database_.fault();
  const std::string place = database_.file() + ", run " + std::to_string(run.id);
  if (step == Step::done) {
    return Diagnostic{place, "has no point " + std::to_string(number), "", ""};
  }
  if (rows->is_nothing(0)) {
    return Diagnostic{place, "keeps no whole result of point " + std::to_string(number),
                      "a run of predict", ""};
  }
  auto text = unpacked_text(rows->text(0));
  if (!text) {
    return Diagnostic{place, "the result of point " + std::to_string(number) + " is damaged", "",
                      ""};
  }
  return *std::move(text);
}

}  // namespace forewarp::store
