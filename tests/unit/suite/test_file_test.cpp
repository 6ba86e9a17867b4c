// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "test_file.h"

#include <gtest/gtest.h>

#include "configuration.h"

namespace forewarp::tests {
namespace {

using cli::BenchTest;
using cli::configurations;
using cli::read_tests;

constexpr const char* whole = R"([[test]]
id = "chain"
file = "a.cu"
kernel = "k"
blocks = ["sms", "sms*2"]
threads = [32, 64]
args = ["buffer:blocks*threads*4:zeros", "passes", 3, "f32:1.5"]
sweep.passes = [8]
sweep.bytes = ["l2/2"]
repeats = 5
sms = [52, 70]
not_for = [62]
expect = { opcode = "FFMA", count = [64, 65], others = 6 }
)";

std::string refusal(const std::string& text) {
  const auto read = read_tests(text, "t.toml");
  return read ? "" : read.error().line();
}

TEST(TestFile, ReadsEveryPartOfATest) {
  const auto read = read_tests(whole, "t.toml");
  ASSERT_TRUE(read) << read.error().line();
  const BenchTest& test = read->front();
  EXPECT_EQ(test.id, "chain");
  EXPECT_EQ(test.repeats, 5U);
  EXPECT_TRUE(test.fits(52));
  EXPECT_TRUE(test.fits(70));
  EXPECT_FALSE(test.fits(75));
  EXPECT_FALSE(test.fits(62)) << "between them, but named";
  EXPECT_EQ(test.expect.opcodes, std::vector<std::string>{"FFMA"});
  EXPECT_EQ(test.expect.count, std::pair(64U, 65U));
  EXPECT_EQ(test.sweep.front().first, "passes") << "in the file's order, not the alphabet's";
  EXPECT_EQ(test.place, "t.toml:1");
}

// 2 x 2 launches; 10 SMs: 10 and 20 blocks; l2/2 = 500; 10 * 64 * 4 = 2560 bytes.
TEST(TestFile, GivesEveryLaunchOfTheSweep) {
  const auto read = read_tests(whole, "t.toml");
  ASSERT_TRUE(read);
  const auto all = configurations(read->front(), {{"sms", 10}, {"l2", 1000}});
  ASSERT_TRUE(all) << all.error().line();
  ASSERT_EQ(all->size(), 4U);
  EXPECT_EQ((*all)[1].name, "blocks=10,threads=64,passes=8,bytes=500");
  EXPECT_EQ((*all)[1].arguments,
            (std::vector<std::string>{"buffer:2560:zeros", "8", "3", "f32:1.5"}));
  EXPECT_EQ((*all)[3].grid, (Extent{20, 1, 1}));
}

TEST(TestFile, TakesSizesThatComeToTheSameOnce) {
  BenchTest test;
  test.id = "t";
  test.blocks = {"1"};
  test.threads = {"32", "16*2"};
  const auto all = configurations(test, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 1U);
}

// n = 512 in tiles of 32 x 8: 16 x 64 blocks; 32 * 8 * 4 = 1024 bytes.
TEST(TestFile, LaunchesOfTwoDimensions) {
  BenchTest test;
  test.id = "t";
  test.blocks = {"n/threads_x, n/threads_y"};
  test.threads = {"32,8"};
  test.sweep = {{"n", {"512"}}};
  test.shared = "threads*4";
  test.arguments = {"blocks", "blocks_y"};
  const auto all = configurations(test, {});
  ASSERT_TRUE(all) << all.error().line();
  EXPECT_EQ((*all)[0].name, "blocks=16x64,threads=32x8,n=512");
  EXPECT_EQ((*all)[0].grid, (Extent{16, 64, 1}));
  EXPECT_EQ((*all)[0].block, (Extent{32, 8, 1}));
  EXPECT_EQ((*all)[0].shared, 1024U);
  EXPECT_EQ((*all)[0].arguments, (std::vector<std::string>{"1024", "64"}));
  test.place = "t.toml:1";
  test.threads = {"8,4,2"};
  EXPECT_EQ(configurations(test, {}).error().line(),
            "t.toml:1: '8,4,2' has 3 parts; expected threads = \"X\" or \"X,Y\"");
}

TEST(TestFile, RefusesLaunchesWithoutBlocks) {
  BenchTest test;
  test.id = "t";
  test.place = "t.toml:1";
  test.blocks = {"sms/20"};
  test.threads = {"32"};
  const auto all = configurations(test, {{"sms", 10}});
  ASSERT_FALSE(all);
  EXPECT_EQ(
      all.error().line(),
      "t.toml:1: test 't' has a launch blocks=0,threads=32; expected at least one block of one "
      "thread");
}

TEST(TestFile, RefusesTextsWithoutValue) {
  BenchTest test;
  test.place = "t.toml:1";
  test.blocks = {"many"};
  test.threads = {"32"};
  const auto all = configurations(test, {{"sms", 10}});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().line(),
            "t.toml:1: 'many' is no number; expected a number, or arithmetic of numbers and sms, "
            "threads, threads_x, threads_y");
}

TEST(TestFile, RefusesInOneLine) {
  EXPECT_EQ(refusal(""), "t.toml: there is no test; expected [[test]]");
  EXPECT_EQ(refusal("[[test]]\nid = \"A\"\n"),
            "t.toml:1:1: id 'A'; expected a word of a-z, 0-9 and _");
  EXPECT_EQ(refusal("[[test]]\nid = \"a\"\n"),
            "t.toml:1:1: test 'a' has no file; expected file = \"X.cu\"");
  EXPECT_EQ(refusal("[[test]]\nid = \"a\"\nfile = \"x.cu\"\n"),
            "t.toml:1:1: test 'a' has no kernel; expected kernel = \"NAME\"");
  const std::string one = "[[test]]\nid = \"a\"\nfile = \"x.cu\"\nkernel = \"k\"\n";
  EXPECT_EQ(refusal(one + one),
            "t.toml:5:1: test 'a' is there twice; expected one test of each id");
  EXPECT_EQ(
      refusal(one + "empty = \"e\"\n"),
      "t.toml:1:1: test 'a' names an empty kernel but times the whole kernel; expected measures "
      "= \"window\"");
  EXPECT_EQ(refusal(one + "blocks = []\n"),
            "t.toml:5:10: 'test[0].blocks' is empty; expected at least one value");
  EXPECT_NE(refusal(one + "sms = [70, 52]\n").find("is empty; expected [FROM, TO]"),
            std::string::npos);
  EXPECT_EQ(refusal(one + "not_for = 62\n"),
            "t.toml:5:11: 'test[0].not_for' is the number 62; expected a list of whole numbers");
  EXPECT_NE(refusal(one + "timing = \"soon\"\n").find("device, event, stream, graph or host"),
            std::string::npos);
  EXPECT_NE(refusal(one + "treads = 3\n").find("threads"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
