// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace forewarp::store {

namespace {

constexpr std::int64_t application = 0x46575253;  // "FWRS"

/// Version 1: what was asked, of which code and board, and the figures of each point once.
constexpr const char* version_1 = R"(
CREATE TABLE inputs (id INTEGER PRIMARY KEY, key TEXT NOT NULL, name TEXT NOT NULL,
  kernel TEXT NOT NULL, UNIQUE (key, kernel));
CREATE TABLE gpus (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL,
  command TEXT NOT NULL, axes TEXT NOT NULL, points INTEGER NOT NULL, begun TEXT NOT NULL,
  ended TEXT, tool_version TEXT NOT NULL, program TEXT NOT NULL);
CREATE INDEX runs_by_key ON runs (key);
CREATE TABLE points (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  input INTEGER REFERENCES inputs (id), gpu INTEGER REFERENCES gpus (id),
  time_ms REAL, low_ms REAL, high_ms REAL, model TEXT, limited_by TEXT, limited_share REAL,
  blocks_per_sm REAL, warps_per_sm REAL, needed_warps REAL, waves REAL, latency_cycles REAL,
  registers REAL, warp_instructions REAL, thread_instructions REAL, global_load_sectors REAL,
  global_store_sectors REAL, shared_wavefronts REAL, l2_read_sectors REAL, l2_write_sectors REAL,
  l1_hit_rate REAL, l2_hit_rate REAL, dram_read_bytes REAL, dram_write_bytes REAL, bounds TEXT,
  error TEXT);
CREATE TABLE members (run INTEGER NOT NULL REFERENCES runs (id), number INTEGER NOT NULL,
  point INTEGER NOT NULL REFERENCES points (id), axes TEXT NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
)";

/// Version 2: the whole result of a point, compressed, and how many processes worked on a run.
constexpr const char* version_2 = R"(
ALTER TABLE points ADD COLUMN detail BLOB;
ALTER TABLE runs ADD COLUMN processes INTEGER NOT NULL DEFAULT 1;
)";

constexpr const char* migrations[newest_version] = {version_1, version_2};

Expected<void> migrate(Database& database, std::int64_t from) {
  if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun;
  // Another process may have been quicker.
  const auto now = database.number("PRAGMA user_version");
  if (!now) return now.error();
  for (std::int64_t version = std::max(from, *now); version < newest_version; ++version) {
    if (auto done = database.execute(migrations[version]); !done) return done;
  }
  const std::string marks = "PRAGMA application_id = " + std::to_string(application) +
                            "; PRAGMA user_version = " + std::to_string(newest_version) +
                            "; COMMIT";
  return database.execute(marks);
}

/// What a file says of itself, all of it at one time: another process may just be making it.
struct Marks {
  std::int64_t version = 0, application = 0, tables = 0;
};

Expected<Marks> read_marks(Database& database) {
  if (auto begun = database.execute("BEGIN"); !begun) return begun.error();
  Marks marks;
  const std::pair<std::int64_t*, const char*> all[] = {
      {&marks.tables, "SELECT count(*) FROM sqlite_schema"},
      {&marks.version, "PRAGMA user_version"},
      {&marks.application, "PRAGMA application_id"}};
  for (const auto& [mark, sql] : all) {
    const auto number = database.number(sql);
    if (!number) return number.error();
    *mark = *number;
  }
  if (auto ended = database.execute("COMMIT"); !ended) return ended.error();
  return marks;
}

}  // namespace

Expected<std::int64_t> store_version(Database& database) {
  const auto marks = read_marks(database);
  if (!marks) return marks.error();
  const std::int64_t version = marks->version;
  const bool empty = marks->tables == 0 && marks->application == 0;
  if (marks->application != application && !empty) {
    return Diagnostic{database.file(), "is an SQLite file of another program",
                      "a file that --store made", "name another file"};
  }
  if (version > newest_version) {
    return Diagnostic{database.file(), "is a store of version " + std::to_string(version),
                      "version " + std::to_string(newest_version) + " or older",
                      "a newer forewarp wrote it: use that one"};
  }
  return version;
}

Expected<void> bring_up_to_date(Database& database) {
  const auto found = store_version(database);
  if (!found) return found.error();
  const std::int64_t version = *found;
  if (version == newest_version) return {};
  if (database.is_read_only()) {
    return Diagnostic{database.file(),
                      "is read-only and a store of version " + std::to_string(version),
                      "version " + std::to_string(newest_version),
                      "make it writable once: it is brought up to date then"};
  }
  return migrate(database, version);
}

Expected<Database> open_to_write(const std::string& file) {
  auto database = Database::open(file, Database::Access::make);
  if (!database) return database;
  if (database->is_read_only()) {
    return Diagnostic{file, "is read-only", "a file that can be written", ""};
  }
  if (auto fine = bring_up_to_date(*database); !fine) return fine.error();
  // A log beside the file: readers see whole transactions, and a killed process leaves whole ones.
  // The cache holds the keys of a million points.
  if (auto set = database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                                   "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8192");
      !set) {
    return set.error();
  }
  return database;
}

}  // namespace forewarp::store
