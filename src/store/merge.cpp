// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/merge.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "store/database.h"
#include "store/schema.h"

namespace forewarp::store {

namespace {

/// Each store has a connection of its own: a fault is of one of them, and what is read is not held.
struct Stores {
  Database& from;
  Database& into;
};

/// Puts every row that `select` finds into the place that `insert` has for its values; gives how
/// many rows that changed.
Expected<std::uint64_t> copy_rows(const Stores& stores, const std::string& select,
                                  const std::string& insert) {
  auto rows = stores.from.prepare(select);
  if (!rows) return std::move(rows).error();
  auto put = stores.into.prepare(insert);
  if (!put) return std::move(put).error();
  std::uint64_t changed = 0;
  Step step = Step::row;
  while ((step = rows->step()) == Step::row) {
    put->bind_row(*rows);
    if (!put->run()) return stores.into.fault();
    changed += static_cast<std::uint64_t>(stores.into.changes());
  }
  if (step == Step::failed) return stores.from.fault();
  return changed;
}

/// Columns that are copied as they are: all but those that number something within one file. An
/// older store has fewer.
Expected<std::vector<std::string>> copied(Database& from, std::string_view table,
                                          std::string_view numbers) {
  auto names = from.prepare("SELECT name FROM pragma_table_info('" + std::string(table) +
                            "') WHERE name NOT IN (" + std::string(numbers) + ")");
  if (!names) return std::move(names).error();
  std::vector<std::string> all;
  Step step = Step::row;
  while ((step = names->step()) == Step::row) all.push_back(names->text(0));
  if (step == Step::failed) return from.fault();
  return all;
}

/// ?1,?2,..
std::string parameters(std::size_t count) {
  std::vector<std::string> marks;
  for (std::size_t i = 1; i <= count; ++i) marks.push_back('?' + std::to_string(i));
  return join(marks, ",");
}

Expected<void> copy_codes_and_boards(const Stores& stores) {
  const auto inputs =
      copy_rows(stores, "SELECT key, kernel, name FROM inputs",
                "INSERT OR IGNORE INTO inputs (key, kernel, name) VALUES (?1, ?2, ?3)");
  if (!inputs) return inputs.error();
  const auto gpus = copy_rows(stores, "SELECT key, name FROM gpus",
                              "INSERT OR IGNORE INTO gpus (key, name) VALUES (?1, ?2)");
  if (!gpus) return gpus.error();
  return {};
}

/// Those that are not there, and times of those that failed here; gives how many.
Expected<std::uint64_t> copy_points(const Stores& stores) {
  const auto columns = copied(stores.from, "points", "'id', 'input', 'gpu'");
  if (!columns) return columns.error();
  const std::string select = "SELECT p." + join(*columns, ", p.") +
                             ", i.key, i.kernel, g.key FROM points p LEFT JOIN inputs i ON i.id = "
                             "p.input LEFT JOIN gpus g ON g.id = p.gpu";
  // An older store has no whole results: that of the failure goes with it.
  const bool whole = std::ranges::find(*columns, "detail") != columns->end();
  const std::string no_detail = whole ? "" : ", detail = NULL";
  const std::size_t last = columns->size();
  const auto parameter = [&](std::size_t behind) { return " = ?" + std::to_string(last + behind); };
  const std::string insert =
      "INSERT INTO points (" + join(*columns, ", ") + ", input, gpu) VALUES (" + parameters(last) +
      ", (SELECT id FROM inputs WHERE key" + parameter(1) + " AND kernel" + parameter(2) +
      "), (SELECT id FROM gpus WHERE key" + parameter(3) + ")) ON CONFLICT (key) DO UPDATE SET (" +
      join(*columns, ", ") + ", input, gpu) = (excluded." + join(*columns, ", excluded.") +
      ", excluded.input, excluded.gpu)" + no_detail +
      " WHERE points.error IS NOT NULL AND "
      "excluded.error IS NULL";
  return copy_rows(stores, select, insert);
}

/// A run of `from` and the same one of `into`.
struct Twins {
  std::string from, into;  ///< their numbers
  bool later = false;      ///< the one of `from` ended later: it replaces the other
};

Expected<void> copy_members(const Stores& stores, const Twins& twins) {
  const auto copied = copy_rows(
      stores,
      "SELECT m.number, p.key, m.axes FROM members m JOIN points p ON p.id = m.point WHERE m.run "
      "= " +
          twins.from,
      std::string(twins.later ? "INSERT OR REPLACE" : "INSERT OR IGNORE") +
          " INTO members (run, number, point, axes) SELECT run.id, ?1, point.id, ?3 FROM runs run, "
          "points point WHERE point.key = ?2 AND run.id = " +
          twins.into + " AND ?1 < run.points");
  if (!copied) return copied.error();
  if (!twins.later) return {};
  return stores.into.execute("DELETE FROM members WHERE run = " + twins.into +
                             " AND number >= (SELECT points FROM runs WHERE id = " + twins.into +
                             ')');
}

Expected<std::string> add_run(const Stores& stores, const std::string& id) {
  const auto columns = copied(stores.from, "runs", "'id'");
  if (!columns) return columns.error();
  const std::string names = join(*columns, ", ");
  const auto added =
      copy_rows(stores, "SELECT " + names + " FROM runs WHERE id = " + id,
                "INSERT INTO runs (" + names + ") VALUES (" + parameters(columns->size()) + ')');
  if (!added) return added.error();
  return std::to_string(stores.into.last_id());
}

/// Whether the run of the row ended later than the one that is there, or with more points: how it
/// ended is taken over. A run that goes on is newer than its copy that ended with fewer points.
Expected<bool> update_run(const Stores& stores, const std::string& id, const Statement& row) {
  auto longer = stores.into.prepare("UPDATE runs SET points = ?5, ended = NULL WHERE id = " + id +
                                    " AND ?4 IS NULL AND ?5 > points");
  auto later = stores.into.prepare("UPDATE runs SET ended = ?4, points = ?5 WHERE id = " + id +
                                   " AND (?4 > ended OR (?4 = ended AND ?5 > points) OR (?4 IS NOT "
                                   "NULL AND ended IS NULL AND ?5 >= points))");
  for (auto* update : {&longer, &later}) {
    if (!*update) return std::move(*update).error();
    (*update)->bind_row(row);
    if (!(*update)->run()) return stores.into.fault();
  }
  return stores.into.changes() > 0;
}

/// The run of the row in `into`: the one of its key and beginning, the n-th where several are.
Expected<Twins> twins_of(const Stores& stores, const Statement& row, Merged& merged) {
  Twins twins{row.text(0), {}, false};
  auto find = stores.into.prepare(
      "SELECT id FROM runs WHERE key = ?2 AND begun = ?3 ORDER BY id LIMIT 1 OFFSET ?6");
  if (!find) return std::move(find).error();
  find->bind_row(row);
  const Step step = find->step();
  if (step == Step::failed) return stores.into.fault();
  if (step == Step::row) {
    twins.into = find->text(0);
    const auto later = update_run(stores, twins.into, row);
    if (!later) return later.error();
    twins.later = *later;
    return twins;
  }
  auto added = add_run(stores, twins.from);
  if (!added) return std::move(added).error();
  twins.into = *std::move(added);
  ++merged.runs;
  return twins;
}

/// Runs that are not there, how those ended that are; then the members of all of them.
Expected<void> copy_runs(const Stores& stores, Merged& merged) {
  auto rows = stores.from.prepare(
      "SELECT id, key, begun, ended, points, (SELECT count(*) FROM runs b WHERE b.key = r.key AND "
      "b.begun = r.begun AND b.id < r.id) FROM runs r ORDER BY id");
  if (!rows) return std::move(rows).error();
  Step step = Step::row;
  while ((step = rows->step()) == Step::row) {
    const auto twins = twins_of(stores, *rows, merged);
    if (!twins) return twins.error();
    if (auto done = copy_members(stores, *twins); !done) return done;
  }
  return step == Step::failed ? Expected<void>(stores.from.fault()) : Expected<void>{};
}

Expected<Merged> copy(const Stores& stores) {
  Merged merged;
  const auto points = stores.from.number("SELECT count(*) FROM points");
  if (!points) return points.error();
  merged.points = static_cast<std::uint64_t>(*points);
  if (auto done = copy_codes_and_boards(stores); !done) return done.error();
  const auto added = copy_points(stores);
  if (!added) return added.error();
  merged.added = *added;
  if (auto done = copy_runs(stores, merged); !done) return done.error();
  if (auto whole = stores.from.read_at_one_time(); !whole) return whole.error();
  return merged;
}

Diagnostic is_empty(const std::string& file) {
  return {file, "is an empty file", "a file that --store made", "leave it out"};
}

Expected<Database> open_to_merge(const std::string& file) {
  std::error_code none;
  // SQLite takes away a log that lies beside one.
  if (std::filesystem::file_size(file, none) == 0 && !none) return is_empty(file);
  auto database = Database::open(file, Database::Access::read);
  if (!database) return database;
  const auto version = store_version(*database);
  if (!version) return version.error();
  if (*version == 0) return is_empty(file);
  return database;
}

}  // namespace

Expected<Merged> merge_stores(const std::string& from, const std::string& into) {
  auto other = open_to_merge(from);
  if (!other) return std::move(other).error();
  std::error_code none;
  if (std::filesystem::equivalent(from, into, none)) {
    return Diagnostic{from, "is the store itself", "another store", "leave it out"};
  }
  auto database = open_to_write(into);
  if (!database) return std::move(database).error();
  // The other one as it is now, whoever writes it meanwhile.
  if (auto begun = other->execute("BEGIN"); !begun) return begun.error();
  if (auto begun = database->execute("BEGIN IMMEDIATE"); !begun) return begun.error();
  auto merged = copy({*other, *database});
  if (auto ended = database->execute(merged ? "COMMIT" : "ROLLBACK"); !ended && merged) {
    return ended.error();
  }
  return merged;
}

}  // namespace forewarp::store
