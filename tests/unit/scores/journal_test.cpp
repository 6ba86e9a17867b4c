// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/journal.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "result/validation_json.h"

namespace forewarp::tests {
namespace {

class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    file_ = (std::filesystem::temp_directory_path() /
             ("forewarp-journal-" + std::to_string(::getpid())))
                .string();
    std::filesystem::remove(file_);
  }
  void TearDown() override { std::filesystem::remove(file_); }

  void append(const std::string& text) const {
    std::ofstream(file_, std::ios::app | std::ios::binary) << text;
  }
  static ScoredPoint point(double time) {
    ScoredPoint point;
    point.id = "s/\"1\"";
    point.gpu = "t4";
    point.measured_ms = 0.1;
    point.predicted_ms = time;
    point.registers = 33;
    return point;
  }

  std::string file_;
};

TEST_F(JournalTest, PointsComeBackBitForBit) {
  {
    auto journal = Journal::open(file_);
    ASSERT_TRUE(journal) << journal.error().line();
    EXPECT_TRUE(journal->add("k1", point(1.0 / 3)));
    EXPECT_EQ(journal->find("k1"), nullptr);  // what was there when it was opened
  }
  auto again = Journal::open(file_);
  ASSERT_TRUE(again);
  const ScoredPoint* found = again->find("k1");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->id, "s/\"1\"");
  EXPECT_EQ(found->predicted_ms, 1.0 / 3);
  EXPECT_EQ(found->registers, 33U);
  EXPECT_EQ(again->find("k2"), nullptr);
}

TEST_F(JournalTest, ALineThatWasCutOffIsPassedOver) {
  const std::string whole = journal_line("whole", point(2));
  append(whole + "\n" + journal_line("torn", point(3)).substr(0, whole.size() / 2));
  {
    auto journal = Journal::open(file_);
    ASSERT_TRUE(journal);
    EXPECT_NE(journal->find("whole"), nullptr);
    EXPECT_EQ(journal->find("torn"), nullptr);
    EXPECT_TRUE(journal->add("next", point(4)));
  }
  auto again = Journal::open(file_);
  ASSERT_TRUE(again);
  EXPECT_NE(again->find("whole"), nullptr);
  ASSERT_NE(again->find("next"), nullptr);  // stands on a line of its own
  EXPECT_EQ(again->find("next")->predicted_ms, 4);
}

TEST_F(JournalTest, AnEditedDigitIsNotBelieved) {
  std::string line = journal_line("edited", point(2.5));
  const std::size_t digit = line.find("2.5");
  ASSERT_NE(digit, std::string::npos);
  line[digit] = '3';
  append(line + "\n" + journal_line("kept", point(2.5)) + "\n");
  auto journal = Journal::open(file_);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->find("edited"), nullptr);
  EXPECT_NE(journal->find("kept"), nullptr);
}

TEST_F(JournalTest, LinesOfAnotherKindAreNoPoints) {
  append("\n[1]\n{\"key\": 7}\n{\"key\": \"a\", \"id\": \"b\"}\nnothing\n");
  auto journal = Journal::open(file_);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->find("a"), nullptr);
}

TEST_F(JournalTest, NoNameKeepsNothing) {
  auto journal = Journal::open("");
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->add("k", point(1)));
}

TEST_F(JournalTest, RefusesAPlaceThatCannotBeWritten) {
  const auto journal = Journal::open("/nowhere/at/all");
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().line(),
            "/nowhere/at/all: cannot be written: No such file or directory; expected a place for "
            "the journal of finished points; --journal FILE");
}

}  // namespace
}  // namespace forewarp::tests
