// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/merge.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "store/columns.h"
#include "store/run_writer.h"
#include "store/stored_runs.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// Rights count for nobody who is root.
class Unprivileged {
 public:
  Unprivileged() {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0) changed_ = ::seteuid(nobody) == 0;
  }
  ~Unprivileged() {
    if (changed_) (void)!::seteuid(0);
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  bool changed_ = false;
};

class Merge : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("fw-merge-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "parts");
    fs::create_directories(folder_ / "wholes");
    fs::permissions(folder_ / "wholes", fs::perms::all);
    part_ = (folder_ / "parts" / "part.db").string();
    whole_ = (folder_ / "wholes" / "whole.db").string();
  }
  void TearDown() override {
    protect(false);
    fs::remove_all(folder_);
  }

  /// The folder of the part and what is in it are only read.
  void protect(bool is) const {
    if (is) {
      for (const auto& file : fs::directory_iterator(folder_ / "parts")) {
        fs::permissions(file, fs::perms(0444));
      }
    }
    fs::permissions(folder_ / "parts", is ? fs::perms(0555) : fs::perms(0755));
  }

  static RunStart start(std::uint64_t points) {
    return {.kind = "sweep",
            .key = "a",
            .command = "forewarp sweep",
            .axes = {"grid"},
            .points = points,
            .tool_version = "1",
            .program = "p"};
  }

  static void add(RunWriter& writer, std::uint64_t number, const std::string& key) {
    TableRow figures(point_columns().size());
    figures[0] = 0.5 + static_cast<double>(number);
    EXPECT_TRUE(writer.add(number, key, {static_cast<double>(number)}, figures,
                           {"hash", "k.sass", "k", "facts", "board"}, std::string(100, '1')));
  }

  /// A run of so many points into the file, the same one each time.
  static void keep(const std::string& file, std::uint64_t points, const std::string& key = "p") {
    auto writer = RunWriter::begin(file, start(points));
    ASSERT_TRUE(writer) << writer.error().line();
    for (std::uint64_t i = 0; i < points; ++i) add(**writer, i, key + std::to_string(i));
    ASSERT_TRUE((*writer)->finish());
  }

  static void change(const std::string& file, const std::string& sql) {
    auto database = Database::open(file, Database::Access::write);
    ASSERT_TRUE(database);
    const auto done = database->execute(sql);
    ASSERT_TRUE(done) << done.error().line();
  }

  /// Another process writes so many points into the file and dies.
  static void keep_and_die(const std::string& file, std::uint64_t points) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto writer = RunWriter::begin(file, start(points));
      for (std::uint64_t i = 0; i < points; ++i) add(**writer, i, "p" + std::to_string(i));
      (void)(*writer)->extend(points);
      ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  }

  /// Names, sizes, times and bytes of what lies in the folder of the part.
  std::map<std::string, std::string> parts() const {
    std::map<std::string, std::string> found;
    for (const auto& file : fs::directory_iterator(folder_ / "parts")) {
      const auto time = fs::last_write_time(file).time_since_epoch().count();
      std::ifstream bytes(file.path(), std::ios::binary);
      found[file.path().filename().string()] =
          std::to_string(time) + ' ' + std::string(std::istreambuf_iterator<char>(bytes), {});
    }
    return found;
  }

  /// "added of points, runs", or the refusal.
  std::string merged(const std::string& from) const {
    const auto done = merge_stores(from, whole_);
    if (!done) return done.error().line();
    return std::to_string(done->added) + " of " + std::to_string(done->points) + ", " +
           std::to_string(done->runs);
  }
  std::string merged() const { return merged(part_); }

  /// All runs with their members and times.
  static std::string content(const std::string& file) {
    auto database = Database::open(file, Database::Access::read);
    EXPECT_TRUE(database);
    auto rows = database->prepare(
        "SELECT r.id || ' ' || r.points || ' ' || ifnull(r.ended, '-') || ' ' || m.number || ' ' "
        "|| p.key || ' ' || p.time_ms || ' ' || i.kernel || ' ' || g.name FROM runs r LEFT JOIN "
        "members m ON m.run = r.id LEFT JOIN points p ON p.id = m.point LEFT JOIN inputs i ON i.id "
        "= p.input LEFT JOIN gpus g ON g.id = p.gpu ORDER BY r.id, m.number");
    EXPECT_TRUE(rows);
    std::string text;
    while (rows->step() == Step::row) text += rows->text(0) + '\n';
    return text;
  }

  fs::path folder_;
  std::string part_, whole_;
};

TEST_F(Merge, TakesOverAStoreAtRestWithoutTouchingIt) {
  keep(part_, 3);
  const auto before = parts();
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(merged(), "3 of 3, 1");
  EXPECT_EQ(parts(), before);
  EXPECT_EQ(content(whole_), content(part_));
  EXPECT_EQ(merged(), "0 of 3, 0");
}

TEST_F(Merge, TakesOverWhatAProcessThatDiedLeftWithoutTouchingIt) {
  for (const bool index : {true, false}) {
    keep_and_die(part_, 3);
    if (!index) fs::remove(part_ + "-shm");
    const auto before = parts();
    ASSERT_EQ(before.size(), index ? 3U : 2U);
    fs::remove(whole_);
    EXPECT_EQ(merged(), "3 of 3, 1") << index;
    EXPECT_EQ(parts(), before) << index;
  }
}

TEST_F(Merge, AnEmptyLogIsLeftWhereItLies) {
  keep(part_, 3);
  std::ofstream(part_ + "-wal").flush();
  const auto before = parts();
  EXPECT_EQ(merged(), "3 of 3, 1");
  EXPECT_EQ(parts(), before);
}

TEST_F(Merge, TakesOverAStoreThatIsBeingWritten) {
  auto writer = RunWriter::begin(part_, start(100));
  for (std::uint64_t i = 0; i < 50; ++i) add(**writer, i, "p" + std::to_string(i));
  ASSERT_TRUE((*writer)->extend(100));  // commits
  add(**writer, 50, "p50");
  EXPECT_EQ(merged(), "50 of 50, 1");
  for (std::uint64_t i = 51; i < 100; ++i) add(**writer, i, "p" + std::to_string(i));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(merged(), "50 of 100, 0");
  EXPECT_EQ(content(whole_), content(part_));
}

TEST_F(Merge, AFolderThatIsOnlyReadIsMergedAndRead) {
  for (const char* left : {"at rest", "with its log", "with a log without index"}) {
    const bool rests = left == std::string("at rest");
    rests ? keep(part_, 3) : keep_and_die(part_, 3);
    if (left == std::string("with a log without index")) fs::remove(part_ + "-shm");
    protect(true);
    {
      const Unprivileged nobody;
      EXPECT_EQ(merged(), "3 of 3, 1") << left;
      auto runs = StoredRuns::open(part_);
      ASSERT_TRUE(runs) << left << runs.error().line();
      EXPECT_EQ(runs->run(1)->kept, 3U) << left;
      EXPECT_EQ(RunWriter::begin(part_, start(3)).error().line(),
                part_ + ": is read-only; expected a file that can be written");
    }
    protect(false);
    fs::remove_all(folder_ / "parts");
    fs::create_directories(folder_ / "parts");
    fs::remove(whole_);
  }
}

TEST_F(Merge, AStoreOfAnOlderVersionIsMergedAsItIs) {
  const std::string sql = *read_file(std::string(FOREWARP_FIXTURES) + "/store/version_1.sql");
  ASSERT_TRUE(Database::open(part_, Database::Access::make)->execute(sql));
  const auto before = parts();
  EXPECT_EQ(merged(), "2 of 2, 1");
  EXPECT_EQ(parts(), before);
  EXPECT_EQ(StoredRuns::open(whole_)->run(1)->processes, 1U);
}

TEST_F(Merge, WhatIsNoStoreIsRefusedAndMakesNone) {
  std::ofstream(part_).flush();
  EXPECT_EQ(merged(),
            part_ + ": is an empty file; expected a file that --store made; leave it out");
  std::ofstream(part_) << std::string(5000, 'x');
  EXPECT_EQ(merged(), part_ +
                          ": is no SQLite file; expected a file that --store made; name another "
                          "file");
  fs::remove(part_);
  ASSERT_TRUE(Database::open(part_, Database::Access::make)->execute("CREATE TABLE t (x)"));
  EXPECT_EQ(merged(), part_ +
                          ": is an SQLite file of another program; expected a file that --store "
                          "made; name another file");
  fs::remove(part_);
  keep(part_, 1);
  change(part_, "PRAGMA user_version = 99");
  EXPECT_EQ(merged(), part_ +
                          ": is a store of version 99; expected version 2 or older; a newer "
                          "forewarp wrote it: use that one");
  EXPECT_FALSE(fs::exists(whole_));
}

TEST_F(Merge, EveryNameIsAFile) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "parts");
  for (const char* name : {":memory:", "file:x.db?mode=memory", "a%20b#c?d.db"}) {
    keep(name, 2, name);
    EXPECT_EQ(merged(name).substr(0, 6), "2 of 2") << name;
    EXPECT_EQ(merged('/' + (folder_ / "parts" / name).string()), "0 of 2, 0") << name;
  }
  fs::current_path(before);
}

TEST_F(Merge, AnOlderCopyChangesNothingWhateverTheOrder) {
  keep(part_, 3);
  const std::string older = (folder_ / "older.db").string();
  fs::copy_file(part_, older);
  change(older, "UPDATE runs SET ended = '2020-01-01T00:00:00Z'");
  keep(part_, 2, "other ");  // the same command over a shorter file
  EXPECT_EQ(merged(), "5 of 5, 1");
  const std::string newer = content(whole_);
  EXPECT_EQ(newer, content(part_));
  EXPECT_EQ(merged(older), "0 of 3, 0");
  EXPECT_EQ(content(whole_), newer);
  fs::remove(whole_);
  EXPECT_EQ(merged(older), "3 of 3, 1");
  EXPECT_EQ(merged(), "2 of 5, 0");
  EXPECT_EQ(content(whole_), newer);
}

TEST_F(Merge, ARunThatGoesOnGrowsAndDoesNotUndoItsEnd) {
  { auto writer = RunWriter::begin(part_, start(2)); }
  EXPECT_EQ(merged(), "0 of 0, 1");
  keep(part_, 3);
  const std::string ended = content(part_);
  change(part_, "UPDATE runs SET ended = NULL");
  EXPECT_EQ(merged(), "3 of 3, 0");
  EXPECT_EQ(content(whole_), content(part_));
  keep(part_, 3);
  EXPECT_EQ(merged(), "0 of 3, 0");
  EXPECT_EQ(content(whole_), content(part_));
  change(part_, "UPDATE runs SET ended = NULL");
  EXPECT_EQ(merged(), "0 of 3, 0");
  EXPECT_NE(content(whole_), content(part_));
}

// A copy was made when the run had ended with 3 points; then it went on to 5, of which it has 4.
TEST_F(Merge, ACopyThatEndedWithFewerPointsIsOlderThanARunThatGoesOn) {
  keep(part_, 3);
  const std::string older = (folder_ / "older.db").string();
  fs::copy_file(part_, older);
  keep(part_, 5);
  change(part_, "UPDATE runs SET ended = NULL; DELETE FROM members WHERE number = 4");
  EXPECT_EQ(merged(), "5 of 5, 1");
  const std::string newer = content(whole_);
  EXPECT_EQ(merged(older), "0 of 3, 0");
  EXPECT_EQ(content(whole_), newer);
  fs::remove(whole_);
  EXPECT_EQ(merged(older), "3 of 3, 1");
  EXPECT_EQ(merged(), "2 of 5, 0");
  EXPECT_EQ(content(whole_), newer);
}

// Times are whole seconds: of two ends in one, that with more points is the later.
TEST_F(Merge, ARunThatGrewWithinASecondGrowsThere) {
  const auto end = [&] { change(part_, "UPDATE runs SET ended = '2020-01-01T00:00:00Z'"); };
  keep(part_, 3);
  end();
  EXPECT_EQ(merged(), "3 of 3, 1");
  keep(part_, 5);
  end();
  EXPECT_EQ(merged(), "2 of 5, 0");
  EXPECT_EQ(content(whole_), content(part_));
}

TEST_F(Merge, AnEmptyFileAndTheLogBesideItStayAsTheyAre) {
  std::ofstream(part_).close();
  std::ofstream(part_ + "-wal") << std::string(5000, 'x');
  const auto before = parts();
  EXPECT_EQ(merged().substr(0, part_.size() + 18), part_ + ": is an empty file");
  EXPECT_EQ(parts(), before);
}

// A quick command that is asked again begins in the same second.
TEST_F(Merge, RunsThatBeganTogetherStayTwo) {
  for (const std::uint64_t points : {2U, 1U}) {
    RunStart again = start(points);
    again.again = true;
    auto writer = RunWriter::begin(part_, again);
    for (std::uint64_t i = 0; i < points; ++i) add(**writer, i, std::to_string(points + i));
    ASSERT_TRUE((*writer)->finish());
  }
  change(part_, "UPDATE runs SET begun = '2020-01-01T00:00:00Z'");
  EXPECT_EQ(merged(), "3 of 3, 2");
  EXPECT_EQ(content(whole_), content(part_));
  EXPECT_EQ(merged(), "0 of 3, 0");
}

TEST_F(Merge, AFaultNamesTheStoreThatHasIt) {
  keep(part_, 2000);
  keep(whole_, 2000, "w");
  const auto damage = [](const std::string& file) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(8192);
    for (int i = 0; i < 200'000; ++i) bytes.put('\x5a');
  };
  damage(part_);
  EXPECT_EQ(merged().substr(0, part_.size() + 13), part_ + ": is damaged:");
  fs::remove(part_);
  keep(part_, 2000);
  damage(whole_);
  EXPECT_EQ(merged().substr(0, whole_.size() + 13), whole_ + ": is damaged:");
  fs::remove(whole_);
  fs::permissions(folder_ / "wholes", fs::perms(0555));
  keep(whole_, 1);
  const Unprivileged nobody;
  EXPECT_EQ(merged(), whole_ + ": is read-only; expected a file that can be written");
}

TEST_F(Merge, WhicheverPageIsDamagedTheOtherStoreStaysAsItWas) {
  constexpr std::streamoff page = 4096;
  keep(whole_, 1);
  keep(part_, 200);
  for (const std::string& file : {whole_, part_})
    change(file,
           "UPDATE runs SET begun = '2020-01-01T00:00:00Z', ended = '2020-01-01T00:00:00Z'; "
           "PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string copy = part_ + ".copy", before = content(whole_), kept = whole_;
  fs::copy_file(part_, copy);
  const auto size = static_cast<std::streamoff>(fs::file_size(copy));
  int refused = 0;
  for (std::streamoff at = page; at < size; at += page) {
    fs::copy_file(copy, part_, fs::copy_options::overwrite_existing);
    std::fstream(part_, std::ios::in | std::ios::out | std::ios::binary).seekp(at)
        << std::string(page, 'Z');
    whole_ = kept + std::to_string(at);
    fs::copy_file(kept, whole_);
    const std::string line = merged();
    if (line == "199 of 200, 0") continue;  // an index that no merge reads
    EXPECT_EQ(line.substr(0, part_.size() + 13), part_ + ": is damaged:");
    EXPECT_EQ(content(whole_), before) << at;
    ++refused;
  }
  EXPECT_GT(refused, 5);
}

// What lies at rest is read without locks: what another process does to it is noticed.
TEST_F(Merge, AChangeUnderAReaderWithoutLocksIsNoticed) {
  keep(part_, 3);
  const auto reader = Database::open(part_, Database::Access::read);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->read_at_one_time());
  keep(part_, 4);
  EXPECT_EQ(reader->read_at_one_time().error().line(),
            part_ +
                ": was changed while it was read; expected a store at rest, or in use before; the "
                "same command again");
}

TEST_F(Merge, WhatChangesUnderTheMergeIsNotMerged) {
  keep(part_, 2000);
  std::atomic<bool> merging{true};
  std::thread other([&] {
    for (auto time = fs::last_write_time(part_); merging; std::this_thread::yield()) {
      fs::last_write_time(part_, time += std::chrono::seconds(1));
    }
  });
  const std::string line = merged();
  merging = false;
  other.join();
  EXPECT_EQ(line.substr(0, part_.size() + 27), part_ + ": was changed while it was ");
  EXPECT_EQ(content(whole_), "");
}

TEST_F(Merge, AChangeThatWasNotFinishedIsSaid) {
  const std::string open = (folder_ / "open.db").string();
  keep(open, 2000);
  auto database = Database::open(open, Database::Access::write);
  ASSERT_TRUE(
      database->execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; "
                        "UPDATE points SET time_ms = 1"));
  fs::copy_file(open, part_);
  fs::copy_file(open + "-journal", part_ + "-journal");
  EXPECT_EQ(merged().substr(0, part_.size() + 28), part_ + ": was left within a change, ");
}

}  // namespace
}  // namespace forewarp::tests
