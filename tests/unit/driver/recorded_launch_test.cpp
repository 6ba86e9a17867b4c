// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/recorded_launch.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

const char* const whole =
    R"({"launch":1,"gpu":"l4","module":"module-1","kernel":"k","grid":[2,1,1],"block":[64,1,1],)"
    R"("dynamic_shared":16,"parameters":["0010","ff"],"module_address":4096,)"
    R"("buffers":[{"address":8192,"bytes":4,"content":"content-1"}],)"
    R"("banks":[{"bank":3,"bytes":"0102","known":""}]})";

class Recording : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("recording" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "content-1") << "abcd";
  }
  void TearDown() override { fs::remove_all(folder_); }
  void index(const std::string& text) { std::ofstream(folder_ / "launches.jsonl") << text; }
  fs::path folder_;
};

TEST_F(Recording, ALaunchComesWithItsMemory) {
  index(std::string(whole) + "\n");
  EXPECT_TRUE(driver::is_recording(folder_));
  const auto launch = driver::read_recorded_launch(folder_, 1);
  ASSERT_TRUE(launch) << launch.error().line();
  EXPECT_EQ(launch->gpu, "l4");
  EXPECT_EQ(launch->request.kernel, "k");
  EXPECT_EQ(launch->request.launch.block[0], 64U);
  ASSERT_EQ(launch->request.launch.arguments.size(), 2U);
  EXPECT_EQ(launch->request.launch.arguments[0].value.bytes, (std::vector<std::uint8_t>{0, 16}));
  ASSERT_EQ(launch->image->buffers.size(), 1U);
  EXPECT_EQ(launch->image->buffers[0].address, 8192U);
  EXPECT_EQ(launch->image->buffers[0].place[3], 'd');
  EXPECT_EQ(launch->image->banks[0].bytes[1], 2);
}

TEST_F(Recording, ALaunchThatIsTheSameAsAnotherIsThatOne) {
  index(std::string(whole) + "\n" + R"({"launch":2,"same_as":1})" + "\n");
  const auto launch = driver::read_recorded_launch(folder_, 2);
  ASSERT_TRUE(launch) << launch.error().line();
  EXPECT_EQ(launch->request.kernel, "k");
}

TEST_F(Recording, ANumberThatIsNotThereIsRefused) {
  index(std::string(whole) + "\n");
  const auto launch = driver::read_recorded_launch(folder_, 3);
  ASSERT_FALSE(launch);
  EXPECT_NE(launch.error().line().find("one of 1"), std::string::npos);
}

TEST_F(Recording, AFileThatIsTooShortIsRefused) {
  std::ofstream(folder_ / "content-1") << "a";
  index(std::string(whole) + "\n");
  EXPECT_FALSE(driver::read_recorded_launch(folder_, 1));
}

TEST(RecordedLine, WhatIsNotALineIsRefused) {
  EXPECT_FALSE(driver::parse_recorded_line("{"));
  EXPECT_FALSE(driver::parse_recorded_line("{}"));
  std::string outside = whole;
  outside.replace(outside.find("module-1"), 8, "../../x1");
  EXPECT_FALSE(driver::parse_recorded_line(outside));
  std::string odd = whole;
  odd.replace(odd.find("0010"), 4, "001");
  EXPECT_FALSE(driver::parse_recorded_line(odd));
}

}  // namespace
}  // namespace forewarp::tests
