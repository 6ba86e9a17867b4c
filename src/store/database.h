// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"

struct sqlite3;
struct sqlite3_stmt;

namespace forewarp::store {

enum class Step : std::uint8_t { row, done, failed };

/// A statement that was compiled once. Parameters count from 1, columns from 0; texts that are
/// bound live until the next reset().
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view text);
  void bind_bytes(int parameter, std::string_view bytes);
  void bind_nothing(int parameter);
  /// Every column of the row at which another statement is, the parameter of its place.
  void bind_row(const Statement& row);

  Step step();
  /// One step of a statement that gives no rows, and a reset.
  bool run();
  void reset();

  [[nodiscard]] bool is_nothing(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;  ///< or bytes

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// An SQLite file. One thread at a time.
class Database {
 public:
  /// make: the file, where there is none; it and write: for reading where it cannot be written;
  /// read: nothing is written, beside the file neither.
  enum class Access : std::uint8_t { make, write, read };

  /// Fails on what is no SQLite file, a folder, a file that cannot be opened so. Others that hold
  /// the file are waited for.
  static Expected<Database> open(const std::string& file, Access access);

  Expected<void> execute(const std::string& sql);
  Expected<Statement> prepare(const std::string& sql);
  /// The first number of the first row.
  Expected<std::int64_t> number(const std::string& sql);

  [[nodiscard]] std::int64_t last_id() const;
  [[nodiscard]] int changes() const;  ///< rows that the last statement changed
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] const std::string& file() const { return file_; }

  /// Refused: what was read is of several times. A file that nobody has open is read without
  /// locks.
  [[nodiscard]] Expected<void> read_at_one_time() const;

  /// Why the last step failed, as the one line.
  [[nodiscard]] Diagnostic fault() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Expected<void> connect(Access access, const std::filesystem::path& real);

  std::string file_;
  std::optional<std::filesystem::file_time_type> without_locks_;  // since the file was of this time
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace forewarp::store
