// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/recorded_launch.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "execution/storage/program_services.h"

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

TEST_F(Recording, VariablesMayLieApartFromTheirModule) {
  std::string line = whole;
  line.insert(line.find("\"buffers\""), R"("apart":{"flag":8192},)");
  index(line + "\n");
  const auto launch = driver::read_recorded_launch(folder_, 1);
  ASSERT_TRUE(launch) << launch.error().line();
  EXPECT_EQ(launch->image->module_address, 4096U);
  EXPECT_EQ(launch->image->apart.at("flag"), 8192U);
}

const char* const texture =
    R"("parameter_area":"0010ff","textures":[{"handle":3,"address":8194,"width":1,"height":2,)"
    R"("depth":1,"pitch":1,"slice":2,"bits":[8,0,0,0],"kind":1,"modes":[1,3,1],)"
    R"("border":[0,0,0,0],"linear":false,"normalized":false,"as_float":true}],)";

/// The line with a texture of two rows of a byte, which end with the buffer.
std::string with_texture() {
  std::string line = whole;
  return line.insert(line.find("\"banks\""), texture);
}

TEST_F(Recording, TexturesLieWhereTheirBuffersAre) {
  index(with_texture() + "\n");
  const auto launch = driver::read_recorded_launch(folder_, 1);
  ASSERT_TRUE(launch) << launch.error().line();
  EXPECT_EQ(launch->image->parameters, (std::vector<std::uint8_t>{0, 16, 255}));
  ASSERT_TRUE(launch->image->services);
  const execution::Texture& made = launch->image->services->textures.at(3);
  EXPECT_EQ(made.address, 8194U);
  EXPECT_EQ(made.data[0], 'c');
  EXPECT_EQ(made.data[1], 'd');
  EXPECT_EQ(made.modes[1], execution::Texture::AddressMode::border);
  EXPECT_TRUE(made.as_float);
}

TEST_F(Recording, ATextureBeyondItsBufferIsRefused) {
  std::string line = with_texture();
  line.replace(line.find("\"height\":2"), 10, "\"height\":3");
  index(line + "\n");
  const auto launch = driver::read_recorded_launch(folder_, 1);
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.error().line(),
            "launches.jsonl: a texture lies outside of every buffer; record again");
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
  std::string thin = with_texture();
  thin.replace(thin.find("\"width\":1"), 9, "\"width\":0");
  EXPECT_FALSE(driver::parse_recorded_line(thin));
  std::string odd = whole;
  odd.replace(odd.find("0010"), 4, "001");
  EXPECT_FALSE(driver::parse_recorded_line(odd));
  std::string wide = whole;
  wide.replace(wide.find("[64,"), 4, "[4294967296,");
  EXPECT_FALSE(driver::parse_recorded_line(wide));
}

}  // namespace
}  // namespace forewarp::tests
