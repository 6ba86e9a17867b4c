// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/edited_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

// The file that is exported is the board with these overrides, number for number.
TEST(EditedFile, IsTheBoardWithItsOverrides) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  const std::vector<FactOverride> changes{
      {"memory.read_share", "0.9"}, {"clock.sustained_mhz", "x1.05"}, {"l2.miss_from", "0.5"}};
  const auto text = edited_file(database, "gtx970", changes);
  ASSERT_TRUE(text) << text.error().line();
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "edited_gtx970.toml";
  std::ofstream(file) << *text;
  const auto edited = database.load(file.string()), meant = database.load("gtx970", changes);
  std::filesystem::remove(file);
  ASSERT_TRUE(edited) << edited.error().line();
  ASSERT_TRUE(meant);
  EXPECT_EQ(edited->facts.at("clock.sustained_mhz").value, 1.05 * 1253);
  EXPECT_EQ(edited->facts.at("clock.sustained_mhz").source, "edited");
  EXPECT_EQ(edited->facts.at("clock.sustained_mhz").confidence, Confidence::assumed);
  for (const auto& [path, fact] : meant->facts) {
    const auto found = edited->facts.find(path);
    ASSERT_NE(found, edited->facts.end()) << path;
    EXPECT_EQ(found->second.value, fact.value) << path;
  }
}

TEST(EditedFile, StatesWordsAsWords) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  const auto text = edited_file(database, "gtx970", {{"memory.technology", "gddr5-kepler"}});
  ASSERT_TRUE(text) << text.error().line();
  EXPECT_NE(text->find("technology = 'gddr5-kepler'"), std::string::npos) << *text;
}

TEST(EditedFile, RefusesWhatNoBoardCanState) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  EXPECT_FALSE(edited_file(database, "none", {}));
  EXPECT_FALSE(edited_file(database, "gtx970", {{"memory.nothing", "1"}}));
  EXPECT_FALSE(edited_file(database, "gtx970", {{"memory.bytes", "many"}}));
}

}  // namespace
}  // namespace forewarp::tests
