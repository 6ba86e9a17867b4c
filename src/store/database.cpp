// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/database.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <unistd.h>
#include <utility>

namespace forewarp::store {

namespace {

constexpr int patience_ms = 30'000;  // for others that write

int open_flags(Database::Access access) {
  const int sharing = SQLITE_OPEN_NOMUTEX;
  if (access == Database::Access::read) return SQLITE_OPEN_READONLY | sharing;
  if (access == Database::Access::write) return SQLITE_OPEN_READWRITE | sharing;
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | sharing;
}

/// The file and its folder, in which SQLite keeps the log.
bool is_writable(const std::filesystem::path& file) {
  const auto allowed = [](const std::filesystem::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
  };
  return allowed(file) && allowed(file.parent_path());
}

bool is_there(std::filesystem::path file, const char* ending) {
  std::error_code ignored;
  return std::filesystem::exists(file += ending, ignored);
}

/// Byte 18 of a file says how it is written: 2, with a log beside it.
bool has_log(const std::filesystem::path& file) {
  constexpr int place = 18;
  std::ifstream bytes(file, std::ios::binary);
  return bytes.seekg(place) && bytes.get() == 2;
}

/// How a file is opened so that nothing is written, beside it neither.
enum class Reading : std::uint8_t {
  locked,
  at_rest,    // nobody has it open: SQLite would make a log
  log_alone,  // without its index, which is made in memory
};

Reading reading_of(const std::filesystem::path& file) {
  if (!is_there(file, "-wal")) return has_log(file) ? Reading::at_rest : Reading::locked;
  return is_there(file, "-shm") ? Reading::locked : Reading::log_alone;
}

/// SQLite gives a meaning to names such as ":memory:" and "file:x?mode=memory"; here they are
/// files.
std::string address(const std::string& file) {
  std::string text = file.front() == '/' ? "file://" : "file:./";
  for (const char c : file) {
    text += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  return text;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
}

void Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), nullptr, SQLITE_UTF8);
}

void Statement::bind_bytes(int parameter, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), nullptr);
}

void Statement::bind_nothing(int parameter) {
  sqlite3_bind_null(statement_.get(), parameter);
}

void Statement::bind_row(const Statement& row) {
  const int columns = sqlite3_column_count(row.statement_.get());
  for (int i = 0; i < columns; ++i) {
    sqlite3_bind_value(statement_.get(), i + 1, sqlite3_column_value(row.statement_.get(), i));
  }
}

Step Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return Step::row;
  return code == SQLITE_DONE ? Step::done : Step::failed;
}

bool Statement::run() {
  const bool done = step() != Step::failed;
  reset();
  return done;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

bool Statement::is_nothing(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr || size <= 0) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

Expected<Database> Database::open(const std::string& file, Access access) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_directory(status)) {
    return Diagnostic{file, "is a folder", "a file for results", "name a file in it"};
  }
  if (file.empty() ||
      (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
    return Diagnostic{file.empty() ? "--store" : file, "is no regular file", "a file for results",
                      ""};
  }
  Database opened;
  opened.file_ = file;
  const auto real = std::filesystem::canonical(file, ignored);  // the log lies beside that one
  if (!real.empty() && !is_writable(real)) access = Access::read;
  // Who closes a store meanwhile takes its log away: it is looked at again.
  constexpr int tries = 3;
  for (int i = 1;; ++i) {
    auto connected = opened.connect(access, real);
    if (connected) break;
    if (i == tries || access != Access::read) return std::move(connected).error();
  }
  // What is no SQLite file is found out by the first reading.
  if (auto read = opened.number("PRAGMA schema_version"); !read) return read.error();
  return opened;
}

Expected<void> Database::connect(Access access, const std::filesystem::path& real) {
  const bool reads = access == Access::read;
  const Reading reading = reads ? reading_of(real) : Reading::locked;
  std::error_code ignored;
  if (reading != Reading::locked) {
    without_locks_ = std::filesystem::last_write_time(real, ignored);
  }
  std::string name = address(file_);
  if (reads) name += reading == Reading::at_rest ? "?immutable=1" : "?readonly_shm=1";
  const bool alone = reading == Reading::log_alone;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, open_flags(access) | SQLITE_OPEN_URI,
                                   alone ? "unix-none" : nullptr);
  database_.reset(raw);
  if (code != SQLITE_OK) return fault();
  sqlite3_busy_timeout(raw, patience_ms);
  if (reads) sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return alone ? execute("PRAGMA locking_mode = EXCLUSIVE") : Expected<void>{};
}

Expected<void> Database::read_at_one_time() const {
  std::error_code ignored;
  if (!without_locks_ || std::filesystem::last_write_time(file_, ignored) == *without_locks_) {
    return {};
  }
  return Diagnostic{file_, "was changed while it was read", "a store at rest, or in use before",
                    "the same command again"};
}

Expected<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return fault();
  }
  return {};
}

Expected<Statement> Database::prepare(const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  Statement statement(raw);
  if (code != SQLITE_OK) return fault();
  return statement;
}

Expected<std::int64_t> Database::number(const std::string& sql) {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  if (statement->step() == Step::failed) return fault();
  return statement->whole(0);
}

std::int64_t Database::last_id() const {
  return sqlite3_last_insert_rowid(database_.get());
}

int Database::changes() const {
  return sqlite3_changes(database_.get());
}

bool Database::is_read_only() const {
  return sqlite3_db_readonly(database_.get(), "main") == 1;
}

Diagnostic Database::fault() const {
  const int code = sqlite3_errcode(database_.get()) & 0xff;  // without the extension
  const std::string words = sqlite3_errmsg(database_.get());
  switch (code) {
    case SQLITE_FULL:
      return {file_, "takes no more points: the disk is full", "room on the disk",
              "what is finished is kept; the same command goes on"};
    case SQLITE_NOTADB:
      return {file_, "is no SQLite file", "a file that --store made", "name another file"};
    case SQLITE_CORRUPT:
      return {file_, "is damaged: " + words, "a whole SQLite file",
              "sqlite3 FILE .recover saves what can be read"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {file_, "is held by another program", "a file that is free within 30 s", ""};
    case SQLITE_READONLY:
      if (sqlite3_extended_errcode(database_.get()) == SQLITE_READONLY_ROLLBACK) {
        return {file_, "was left within a change, which reading does not undo", "a whole store",
                "forewarp results list --store FILE undoes it where FILE can be written"};
      }
      return {file_, "is read-only", "a file that can be written", ""};
    case SQLITE_CANTOPEN:
      return {file_, "cannot be opened", "a file for results in a folder that exists",
              "--store FILE makes one"};
    default:
      return {file_, words, "an SQLite file that can be read and written", ""};
  }
}

}  // namespace forewarp::store
