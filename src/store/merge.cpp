// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/merge.h"

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "store/database.h"
#include "store/schema.h"
#include "store/stored_runs.h"

namespace forewarp::store {

namespace {

/// Columns that are copied as they are: all but those that number something within one file.
Expected<std::string> copied(Database& database, std::string_view table, std::string_view numbers) {
  auto names = database.prepare("SELECT name FROM pragma_table_info('" + std::string(table) +
                                "') WHERE name NOT IN (" + std::string(numbers) + ")");
  if (!names) return std::move(names).error();
  std::vector<std::string> all;
  Step step = names->step();
  for (; step == Step::row; step = names->step()) all.push_back(names->text(0));
  if (step == Step::failed) return database.fault();
  return join(all, ", ");
}

// `other` is the store that is attached.
constexpr const char* codes_and_boards = R"(
INSERT OR IGNORE INTO main.inputs (key, name, kernel) SELECT key, name, kernel FROM other.inputs;
INSERT OR IGNORE INTO main.gpus (key, name) SELECT key, name FROM other.gpus;
)";
constexpr const char* failed_here = R"(
CREATE TEMP TABLE replaced AS SELECT mine.id, mine.key FROM main.points mine
  JOIN other.points theirs ON theirs.key = mine.key
  WHERE mine.error IS NOT NULL AND theirs.error IS NULL;
)";
constexpr const char* numbers_of_code_and_board = R"(
  (SELECT mine.id FROM other.inputs theirs JOIN main.inputs mine
     ON mine.key = theirs.key AND mine.kernel = theirs.kernel WHERE theirs.id = p.input),
  (SELECT mine.id FROM other.gpus theirs JOIN main.gpus mine ON mine.key = theirs.key
     WHERE theirs.id = p.gpu)
)";
constexpr const char* members = R"(
INSERT OR IGNORE INTO main.members (run, number, point, axes)
  SELECT run.id, m.number, mine.id, m.axes FROM other.members m
  JOIN other.runs was ON was.id = m.run
  JOIN main.runs run ON run.key = was.key AND run.begun = was.begun
  JOIN other.points theirs ON theirs.id = m.point JOIN main.points mine ON mine.key = theirs.key;
)";

Expected<void> copy_points(Database& database, Merged& merged) {
  const auto columns = copied(database, "points", "'id', 'input', 'gpu'");
  if (!columns) return columns.error();
  const std::string rest = *columns + ", input, gpu";
  const std::string selected = *columns + ", " + numbers_of_code_and_board;
  if (auto marked = database.execute(failed_here); !marked) return marked;
  if (auto done = database.execute("UPDATE main.points SET (" + rest + ") = (SELECT " + selected +
                                   " FROM other.points p WHERE p.key = main.points.key) WHERE id "
                                   "IN (SELECT id FROM replaced)");
      !done)
    return done;
  merged.added += static_cast<std::uint64_t>(database.changes());
  if (auto done = database.execute("INSERT OR IGNORE INTO main.points (" + rest + ") SELECT " +
                                   selected + " FROM other.points p");
      !done)
    return done;
  merged.added += static_cast<std::uint64_t>(database.changes());
  return database.execute("DROP TABLE replaced");
}

constexpr const char* later_ends = R"(
UPDATE main.runs SET (points, ended) = (SELECT was.points, was.ended FROM other.runs was
  WHERE was.key = main.runs.key AND was.begun = main.runs.begun)
  WHERE (key, begun) IN (SELECT key, begun FROM other.runs);
)";

/// Runs that are not there, how those ended that are; then the members of all of them.
Expected<void> copy_runs(Database& database, Merged& merged) {
  const auto columns = copied(database, "runs", "'id'");
  if (!columns) return columns.error();
  if (auto done =
          database.execute("INSERT INTO main.runs (" + *columns + ") SELECT " + *columns +
                           " FROM other.runs WHERE (key, begun) NOT IN (SELECT key, begun FROM "
                           "main.runs)");
      !done)
    return done;
  merged.runs = static_cast<std::uint64_t>(database.changes());
  if (auto done = database.execute(later_ends); !done) return done;
  return database.execute(members);
}

Expected<void> copy(Database& database, Merged& merged) {
  const auto number = database.number("SELECT count(*) FROM other.points");
  if (!number) return number.error();
  merged.points = static_cast<std::uint64_t>(*number);
  if (auto done = database.execute(codes_and_boards); !done) return done;
  if (auto done = copy_points(database, merged); !done) return done;
  return copy_runs(database, merged);
}

}  // namespace

Expected<Merged> merge_stores(const std::string& from, const std::string& into) {
  if (auto other = StoredRuns::open(from); !other) return std::move(other).error();
  std::error_code none;
  if (std::filesystem::equivalent(from, into, none)) {
    return Diagnostic{from, "is the store itself", "another store", "leave it out"};
  }
  auto database = Database::open(into, Database::Access::make);
  if (!database) return std::move(database).error();
  if (auto fine = bring_up_to_date(*database); !fine) return fine.error();
  auto attach = database->prepare("ATTACH ?1 AS other");
  if (!attach) return std::move(attach).error();
  attach->bind(1, std::string_view(from));
  if (!attach->run()) return database->fault();
  if (auto begun = database->execute("BEGIN IMMEDIATE"); !begun) return begun.error();
  Merged merged;
  if (auto done = copy(*database, merged); !done) {
    (void)database->execute("ROLLBACK");
    return done.error();
  }
  if (auto ended = database->execute("COMMIT"); !ended) return ended.error();
  return merged;
}

}  // namespace forewarp::store
