// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What users' texts may do to messages and readers.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/toml_depth.h"
#include "hardware/database.h"
#include "hardware/fact_file.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(BadText, NoControlCharacterReachesATerminal) {
  const Diagnostic fault{"a\x1b[2Jb", "c\td\x7f", "", "two\nlines"};
  EXPECT_EQ(fault.line(), "a\\x1b[2Jb: c\\x09d\\x7f; two lines");
}

// 1200 of the beginning and 200 of the end stay of more than 1500.
TEST(BadText, LongNamesLoseTheirMiddle) {
  const Diagnostic whole{"", std::string(1500, 'a'), "", ""};
  EXPECT_EQ(whole.line().size(), 1500U);
  const std::string head(1200, 'a'), tail(200, 'c');
  const Diagnostic longer{"", head + std::string(1000, 'b') + tail, "", ""};
  EXPECT_EQ(longer.line(), head + " .. " + tail);
}

TEST(BadText, DeepKeysAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 63; ++i) key += ".a";
  EXPECT_EQ(line_of_deep_key("x = 1\n" + key + " = 1\n"), 0U);
  EXPECT_EQ(line_of_deep_key("x = 1\n" + key + ".a = 1\n"), 2U);
  EXPECT_EQ(line_of_deep_key("x = 1.2.3 # " + std::string(100, '.')), 0U);
  const auto file = parse_fact_file("[" + key + ".a]\n", "deep.toml");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().line(),
            "deep.toml:1: a key has more than 64 parts; expected a key of a few; see "
            "docs/data.md");
}

TEST(BadText, CachesAreNoLargerThanAChip) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  EXPECT_TRUE(database.load("gtx970", {{"l2.bytes", "4e9"}}));
  const auto refused = database.load("gtx970", {{"l2.bytes", "1e300"}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("'l2.bytes' is 1e+300; expected at most 10000000000 bytes"),
            std::string::npos)
      << refused.error().line();
}

TEST(BadText, NoGpuHasMoreSmsThanCanBeReplayed) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  EXPECT_TRUE(database.load("gtx970", {{"sm.count", "10000"}}));
  const auto refused = database.load("gtx970", {{"sm.count", "10001"}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("'sm.count' is 10001; expected at most 10000"),
            std::string::npos)
      << refused.error().line();
}

TEST(BadText, SharesAreNoMoreThanAll) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  EXPECT_TRUE(database.load("h200-sxm", {{"tensor.clock_share", "1"}}));
  const auto faster = database.load("h200-sxm", {{"tensor.clock_share", "1.01"}});
  ASSERT_FALSE(faster);
  EXPECT_NE(faster.error().line().find("'tensor.clock_share' is 1.01; expected at most 1 "),
            std::string::npos);
  EXPECT_FALSE(database.load("h200-sxm", {{"l2.dirty_share", "70"}}));
  EXPECT_FALSE(database.load("h200-sxm", {{"l2.part_share", "36"}}));
}

TEST(BadText, NoClockStandsStill) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  EXPECT_TRUE(database.load("gtx970", {{"clock.boost_mhz", "1"}}));
  const auto refused = database.load("gtx970", {{"clock.boost_mhz", "1e-300"}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("'clock.boost_mhz' is 1e-300; expected at least 1 MHz"),
            std::string::npos)
      << refused.error().line();
}

// What `gpu check` refuses is refused by those who predict, too.
TEST(BadText, AFileThatContradictsItselfIsNotLoaded) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const std::filesystem::path folder = std::filesystem::path(FOREWARP_DATA_DIR) / "gpus";
  EXPECT_TRUE(database.load((folder / "gtx970.toml").string(), {}));
  std::string text = *read_file(folder / "gtx970.toml");
  const std::size_t at = text.find("base_mhz");
  ASSERT_NE(at, std::string::npos);
  text.insert(text.find_first_of("0123456789", at), "9");  // far above the boost clock
  const std::string file = testing::TempDir() + "forewarp_contradiction.toml";
  std::ofstream(file) << text;
  const auto refused = database.load(file, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("at most the boost clock"), std::string::npos)
      << refused.error().line();
  std::filesystem::remove(file);
}

TEST(BadText, AnEndlessDeviceIsRefused) {
  const auto read = read_file("/dev/zero");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().line(),
            "/dev/zero: is endless or too long; expected at most 64 MiB from anything but a "
            "regular file");
}

}  // namespace
}  // namespace forewarp::tests
