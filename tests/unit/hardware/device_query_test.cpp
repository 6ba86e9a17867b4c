// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/device_query.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "hardware/starting_file.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture() {
  std::ifstream file(FOREWARP_FIXTURES "/boards/device_query.txt");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string refusal(const std::string& text) {
  const auto devices = parse_device_query(text, "q.txt");
  return devices ? "read" : devices.error().line();
}

TEST(DeviceQuery, EveryDeviceWithItsLines) {
  const auto devices = parse_device_query(fixture(), "q.txt");
  ASSERT_TRUE(devices) << devices.error().line();
  ASSERT_EQ(devices->size(), 2U);
  const QueriedDevice& first = devices->front();
  EXPECT_EQ(first.name, "Example 4000");
  EXPECT_EQ(first.cc, (Capability{8, 6}));
  EXPECT_EQ(first.sms, 48);
  EXPECT_EQ(first.clock_mhz, 1560);
  EXPECT_EQ(first.memory_bytes, 16890200064.0);
  EXPECT_EQ(first.memory_clock_mhz, 7001);
  EXPECT_EQ(first.bus_bits, 256);
  EXPECT_EQ(first.l2_bytes, 4194304);
  const QueriedDevice& second = devices->back();
  EXPECT_EQ(second.cc, (Capability{12, 0}));
  EXPECT_EQ(second.sms, 40);
  EXPECT_FALSE(second.clock_mhz);
}

TEST(DeviceQuery, Refusals) {
  EXPECT_EQ(refusal(""),
            "q.txt: shows no device; expected lines as Device 0: \"NAME\"; run CUDA's sample "
            "deviceQuery");
  EXPECT_EQ(refusal("Device 0: \"A\"\n"),
            "q.txt: 'A' has no compute capability; expected CUDA Capability Major/Minor version "
            "number:");
  const std::string device =
      "Device 0: \"A\"\n  CUDA Capability Major/Minor version number:  8.6\n";
  EXPECT_EQ(refusal(device), "read");
  EXPECT_EQ(refusal(device + "  L2 Cache Size: 0 bytes\n"),
            "q.txt:3: 'L2 Cache Size: 0 bytes'; expected a number above 0");
  EXPECT_EQ(refusal(device + "Memory Bus Width: wide\n"),
            "q.txt:3: 'Memory Bus Width: wide'; expected a number above 0");
  EXPECT_EQ(refusal("Device 0: \"A\"\nCUDA Capability Major/Minor version number: x\n"),
            "q.txt:2: 'CUDA Capability Major/Minor version number: x'; expected a capability as "
            "8.6");
}

/// What was queried stands as the vendor's tool has it, the rest as an assumption.
TEST(StartingFile, QueriedNumbersBeforeThoseOfTheOther) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  const auto like = database.load("rtxa4000");
  ASSERT_TRUE(like);
  const auto devices = parse_device_query(fixture(), "q.txt");
  ASSERT_TRUE(devices);
  const std::string text = starting_file("mine", *like, &devices->front());
  for (const char* line :
       {"name = \"Example 4000\"\n", "cc = \"8.6\"\n", "technology = \"gddr6\"\n",
        "count = { value = 48, unit = \"1\", source = \"CUDA's sample deviceQuery\", confidence = "
        "\"vendor_tool\" }\n",
        "clock_mhz = { value = 7001, unit = \"MHz\", source = \"CUDA's sample deviceQuery\", "
        "confidence = \"vendor_tool\" }\n",
        "data_rate = { value = 2, unit = \"1\",",
        "limit_w = { value = 140, unit = \"W\", source = \"as rtxa4000: to be replaced\", "
        "confidence = \"assumed\" }\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
  EXPECT_EQ(text.find("lattice_share"), std::string::npos) << text;
}

/// Every board can be begun with, and what is written is read, with the same memory.
TEST(StartingFile, IsReadAgain) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  const std::string path = testing::TempDir() + "/starting_board.toml";
  for (const std::string& id : database.ids()) {
    const auto like = database.load(id);
    ASSERT_TRUE(like) << id;
    std::ofstream(path) << starting_file("begun", *like, nullptr);
    const auto begun = database.load(path);
    ASSERT_TRUE(begun) << id << ": " << begun.error().line();
    EXPECT_EQ(begun->sms, like->sms) << id;
    EXPECT_NEAR(begun->memory.theory_gbs / like->memory.theory_gbs, 1, 0.01) << id;
    EXPECT_EQ(begun->l2.bytes, like->l2.bytes) << id;
    EXPECT_EQ(begun->name, "begun");
  }
}

}  // namespace
}  // namespace forewarp::tests
