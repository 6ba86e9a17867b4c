// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/database.h"

#include <filesystem>
#include <sqlite3.h>
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
  sqlite3* raw = nullptr;
  // SQLite gives a meaning to names such as ":memory:" and "file:x?mode=memory"; here they are
  // files.
  const std::string path = file.front() == '/' ? file : "./" + file;
  const int code = sqlite3_open_v2(path.c_str(), &raw, open_flags(access), nullptr);
  opened.database_.reset(raw);
  if (code != SQLITE_OK) return opened.fault();
  sqlite3_busy_timeout(raw, patience_ms);
  // What is no SQLite file is found out by the first reading.
  if (auto read = opened.number("PRAGMA schema_version"); !read) return read.error();
  return opened;
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
      return {file_, "is read-only", "a file that can be written", ""};
    case SQLITE_CANTOPEN:
      return {file_, "cannot be opened", "a file for results in a folder that exists",
              "--store FILE makes one"};
    default:
      return {file_, words, "an SQLite file that can be read and written", ""};
  }
}

}  // namespace forewarp::store
