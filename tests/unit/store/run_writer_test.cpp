// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/run_writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "store/columns.h"
#include "store/schema.h"
#include "store/stored_runs.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

class Store : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("fw-store-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = (folder_ / "r.db").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static RunStart start(const std::string& key, std::uint64_t points, bool again = false) {
    RunStart run{.kind = "sweep",
                 .key = key,
                 .command = "forewarp sweep " + key,
                 .axes = {"grid", "word"},
                 .points = points,
                 .tool_version = "1",
                 .program = "p"};
    run.again = again;
    return run;
  }

  /// Grid 10 * number; a time of 0 is an error.
  static bool add(RunWriter& writer, std::uint64_t number, double time_ms,
                  const std::string& detail = {}) {
    TableRow figures(point_columns().size());
    if (time_ms > 0) {
      figures[0] = time_ms;
    } else {
      figures.back() = std::string("refused");
    }
    return writer.add(number, key_of(writer, number), axes(number), figures,
                      {"hash", "k.sass", "k", "facts", "board"}, detail);
  }
  static std::string key_of(const RunWriter& /*writer*/, std::uint64_t number) {
    return "point " + std::to_string(number);
  }
  static TableRow axes(std::uint64_t number) {
    return {10.0 * static_cast<double>(number), std::string(number % 2 == 0 ? "even" : "odd")};
  }

  /// Times of a run's rows, -1 for none.
  std::vector<double> times(std::int64_t run, const RowQuery& query = {}) {
    auto runs = StoredRuns::open(file_);
    EXPECT_TRUE(runs);
    const auto stored = runs->run(run);
    EXPECT_TRUE(stored);
    const auto names = StoredRuns::columns(*stored);
    const auto column =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), "time_ms") - names.begin());
    std::vector<double> found;
    const auto read = runs->rows(*stored, query, [&](TableRow& row) {
      const auto* time = std::get_if<double>(&row[column]);
      found.push_back(time == nullptr ? -1 : *time);
      return true;
    });
    EXPECT_TRUE(read) << (read ? "" : read.error().line());
    return found;
  }

  std::string refusal(const RowQuery& query) {
    auto runs = StoredRuns::open(file_);
    const auto stored = runs->run(1);
    const auto read = runs->rows(*stored, query, [](TableRow&) { return true; });
    return read ? "" : read.error().line();
  }

  std::filesystem::path folder_;
  std::string file_;
};

TEST_F(Store, KeepsPointsInTheOrderOfTheirNumbersWithWhatTheyAre) {
  {
    auto writer = RunWriter::begin(file_, start("a", 3));
    ASSERT_TRUE(writer) << writer.error().line();
    EXPECT_TRUE((*writer)->is_new());
    for (const std::uint64_t number : {2U, 0U, 1U}) {
      EXPECT_TRUE(add(**writer, number, number == 1 ? 0 : 0.5 + static_cast<double>(number)));
    }
    ASSERT_TRUE((*writer)->finish());
    EXPECT_EQ((*writer)->counts().computed, 3U);
    EXPECT_EQ((*writer)->counts().failed, 1U);
  }
  EXPECT_EQ(times(1), (std::vector<double>{0.5, -1, 2.5}));
  auto runs = StoredRuns::open(file_);
  const auto all = runs->all();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1U);
  const StoredRun& run = all->front();
  EXPECT_EQ(run.axes, (std::vector<std::string>{"grid", "word"}));
  EXPECT_EQ(run.points, 3U);
  EXPECT_EQ(run.kept, 3U);
  EXPECT_EQ(run.failed, 1U);
  EXPECT_FALSE(run.ended.empty());
  const auto read = runs->rows(run, {.where = {}, .order = {}, .limit = 1}, [](TableRow& row) {
    EXPECT_EQ(row[0], TableCell(std::string("k")));
    EXPECT_EQ(row[1], TableCell(std::string("board")));
    EXPECT_EQ(row[2], TableCell(0.0));
    EXPECT_EQ(row[3], TableCell(std::string("even")));
    return true;
  });
  EXPECT_TRUE(read);
}

TEST_F(Store, ARerunGoesOnAndTriesAgainWhatFailed) {
  {
    auto writer = RunWriter::begin(file_, start("a", 3));
    add(**writer, 0, 0.5);
    add(**writer, 1, 0);
  }  // ended before its last point
  auto first = StoredRuns::open(file_);
  EXPECT_TRUE(first->run(1)->ended.empty());
  EXPECT_EQ(first->run(1)->kept, 2U);
  auto writer = RunWriter::begin(file_, start("a", 3));
  EXPECT_EQ((*writer)->run(), 1);
  EXPECT_FALSE((*writer)->is_new());
  EXPECT_TRUE((*writer)->adopt(0, "point 0", axes(0)));
  EXPECT_FALSE((*writer)->adopt(1, "point 1", axes(1)));
  EXPECT_FALSE((*writer)->adopt(2, "point 2", axes(2)));
  add(**writer, 1, 1.5);
  add(**writer, 2, 2.5);
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ((*writer)->counts().taken_over, 1U);
  EXPECT_EQ(times(1), (std::vector<double>{0.5, 1.5, 2.5}));
  EXPECT_FALSE(first->run(1)->ended.empty());
}

TEST_F(Store, AnotherRunTakesOverEqualPointsUnlessItIsToComputeAgain) {
  {
    auto writer = RunWriter::begin(file_, start("a", 1));
    add(**writer, 0, 0.5, "{\"id\": 1}");
    ASSERT_TRUE((*writer)->finish());
  }
  {
    auto writer = RunWriter::begin(file_, start("b", 1));
    EXPECT_EQ((*writer)->run(), 2);
    EXPECT_EQ((*writer)->adopt_detail(0, "point 0", axes(0)), "{\"id\": 1}");
  }
  auto writer = RunWriter::begin(file_, start("a", 1, true));
  EXPECT_EQ((*writer)->run(), 3);
  EXPECT_FALSE((*writer)->adopt(0, "point 0", axes(0)));
  EXPECT_FALSE((*writer)->adopt_detail(0, "point 0", axes(0)));
  EXPECT_TRUE(add(**writer, 0, 0.5));
  ASSERT_TRUE((*writer)->finish());
  for (const std::int64_t run : {1, 2, 3}) EXPECT_EQ(times(run), std::vector<double>{0.5});
}

TEST_F(Store, PointsBehindTheEndOfAShorterRerunGo) {
  for (const std::uint64_t points : {3U, 2U}) {
    auto writer = RunWriter::begin(file_, start("a", points));
    for (std::uint64_t i = 0; i < points; ++i) add(**writer, i, 1);
    ASSERT_TRUE((*writer)->finish());
  }
  EXPECT_EQ(times(1).size(), 2U);
}

TEST_F(Store, RowsAreFilteredAndOrderedByFiguresAndAxes) {
  {
    auto writer = RunWriter::begin(file_, start("a", 5));
    const double each[] = {3, 1, 4, 0, 5};
    for (std::uint64_t i = 0; i < 5; ++i) add(**writer, i, each[i]);
  }
  using Times = std::vector<double>;
  EXPECT_EQ(times(1, {.where = {"time_ms>=3"}, .order = "", .limit = 0}), (Times{3, 4, 5}));
  EXPECT_EQ(times(1, {.where = {"grid<30", "time_ms != 1"}, .order = "-time_ms", .limit = 0}),
            (Times{4, 3}));
  EXPECT_EQ(times(1, {.where = {"word=odd"}, .order = "grid", .limit = 1}), Times{1});
  EXPECT_EQ(times(1, {.where = {"gpu=board"}, .order = "-grid", .limit = 2}), (Times{5, -1}));
  EXPECT_EQ(times(1, {.where = {"error=refused"}, .order = "", .limit = 0}), Times{-1});
  EXPECT_NE(refusal({.where = {"size=3"}, .order = "", .limit = 0})
                .find("--where size=3: 'size' is no column of run 1; expected kernel, gpu, grid, "
                      "word, time_ms"),
            std::string::npos);
  EXPECT_EQ(refusal({.where = {"grid"}, .order = "", .limit = 0}),
            "--where grid: has no comparison; expected COLUMN=V, or != < <= > >=");
  EXPECT_EQ(refusal({.where = {"grid!3"}, .order = "", .limit = 0}),
            "--where grid!3: '!' compares nothing; expected = != < <= > >=");
  EXPECT_EQ(refusal({.where = {}, .order = "-size", .limit = 0}).substr(0, 40),
            "--order -size: 'size' is no column of ru");
}

TEST_F(Store, RunsAreComparedByTheirAxes) {
  {
    auto writer = RunWriter::begin(file_, start("a", 4));
    for (std::uint64_t i = 0; i < 4; ++i) add(**writer, i, i == 3 ? 0 : 1);
  }
  {
    auto writer = RunWriter::begin(file_, start("b", 5));
    const double each[] = {1, 2, 0.25, 1, 1};
    for (std::uint64_t i = 0; i < 5; ++i) {
      TableRow figures(point_columns().size());
      figures[0] = each[i];
      (*writer)->add(i, "other " + std::to_string(i), axes(i), figures, {}, {});
    }
  }
  auto runs = StoredRuns::open(file_);
  const auto first = runs->run(1), second = runs->run(2);
  const auto found = runs->difference(*first, *second, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->equal, 1U);    // point 0
  EXPECT_EQ(found->changed, 2U);  // points 1 and 2
  EXPECT_EQ(found->failed, 1U);   // point 3
  EXPECT_EQ(found->first_only, 0U);
  EXPECT_EQ(found->second_only, 1U);
  EXPECT_DOUBLE_EQ(found->mean_factor, std::cbrt(1 * 2 * 0.25));
  ASSERT_EQ(found->changes.size(), 1U);  // the larger one: a quarter is more than twice
  EXPECT_EQ(found->changes[0].axes, axes(2));
  EXPECT_DOUBLE_EQ(found->changes[0].factor(), 0.25);
  EXPECT_EQ(runs->difference(*first, *second, 0)->changes.size(), 0U);
  EXPECT_EQ(runs->difference(*first, *second, 9)->changes.size(), 2U);
  StoredRun other = *second;
  other.axes = {"n"};
  EXPECT_EQ(runs->difference(*first, other, 1).error().line(),
            "results diff: run 2 has the axes n; expected those of run 1: grid, word");
}

TEST_F(Store, ARunThatIsNotThereIsRefusedWithThoseThatAre) {
  EXPECT_EQ(StoredRuns::open(file_).error().line(),
            file_ +
                ": cannot be opened; expected a file for results in a folder that exists; "
                "--store FILE makes one");
  { auto writer = RunWriter::begin(file_, start("a", 1)); }
  auto runs = StoredRuns::open(file_);
  EXPECT_EQ(runs->run(7).error().line(),
            file_ + ": has no run 7; expected 1 to 1; forewarp results list shows them");
  EXPECT_EQ(runs->detail(*runs->run(1), 0).error().line(), file_ + ", run 1: has no point 0");
}

TEST_F(Store, AnOlderVersionIsBroughtUpToDate) {
  {
    auto database = Database::open(file_, Database::Access::make);
    ASSERT_TRUE(database);
    const auto made =
        database->execute(*read_file(std::string(FOREWARP_FIXTURES) + "/store/version_1.sql"));
    ASSERT_TRUE(made) << made.error().line();
  }
  EXPECT_EQ(times(1), (std::vector<double>{0.5, -1}));
  auto database = Database::open(file_, Database::Access::write);
  EXPECT_EQ(*database->number("PRAGMA user_version"), newest_version);
  EXPECT_EQ(*database->number("SELECT processes FROM runs"), 1);
  EXPECT_EQ(*database->number("SELECT count(*) FROM points WHERE detail IS NULL"), 2);
}

TEST_F(Store, WhatIsNoStoreIsRefusedInOneLine) {
  const auto line = [&] {
    const auto opened = RunWriter::begin(file_, start("a", 1));
    const auto read = StoredRuns::open(file_);
    EXPECT_FALSE(opened || read);
    if (opened || read) return std::string();
    EXPECT_EQ(opened.error().line(), read.error().line());
    return opened.error().line();
  };
  std::ofstream(file_) << std::string(5000, 'x');
  EXPECT_EQ(line(), file_ +
                        ": is no SQLite file; expected a file that --store made; name another "
                        "file");
  std::filesystem::remove(file_);
  ASSERT_TRUE(Database::open(file_, Database::Access::make)->execute("CREATE TABLE t (x)"));
  EXPECT_EQ(line(), file_ +
                        ": is an SQLite file of another program; expected a file that --store "
                        "made; name another file");
  std::filesystem::remove(file_);
  { auto writer = RunWriter::begin(file_, start("a", 1)); }
  ASSERT_TRUE(Database::open(file_, Database::Access::write)->execute("PRAGMA user_version = 99"));
  EXPECT_EQ(line(), file_ +
                        ": is a store of version 99; expected version 2 or older; a newer "
                        "forewarp wrote it: use that one");
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_EQ(line(), file_ + ": is a folder; expected a file for results; name a file in it");
}

// SQLite keeps some names in memory and reads others as addresses: here each is a file.
TEST_F(Store, EveryNameIsAFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  for (const char* name : {":memory:", "file:x.db?mode=memory", "file::memory:"}) {
    {
      const auto writer = RunWriter::begin(name, start("a", 1));
      ASSERT_TRUE(writer) << writer.error().line();
    }
    EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / name)) << name;
    EXPECT_TRUE(StoredRuns::open(name)) << name;
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(RunWriter::begin("", start("a", 1)).error().line(),
            "--store: is no regular file; expected a file for results");
  EXPECT_EQ(RunWriter::begin("/dev/null", start("a", 1)).error().line(),
            "/dev/null: is no regular file; expected a file for results");
}

TEST_F(Store, ADamagedFileIsOneLine) {
  {
    auto writer = RunWriter::begin(file_, start("a", 2000));
    for (std::uint64_t i = 0; i < 2000; ++i) add(**writer, i, 1);
  }
  {
    std::fstream bytes(file_, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(8192);
    for (int i = 0; i < 200'000; ++i) bytes.put('\x5a');
  }
  auto runs = StoredRuns::open(file_);
  const auto all = runs ? runs->all() : Expected<std::vector<StoredRun>>(runs.error());
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().line().substr(0, file_.size() + 13), file_ + ": is damaged:");
  EXPECT_EQ(all.error().line().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
